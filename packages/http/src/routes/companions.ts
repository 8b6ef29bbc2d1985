import { type Award, features, type Version } from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { one, page } from '../send.ts'
import { IssueWire } from '../shapes/issue.ts'
import { MergeRequestWire } from '../shapes/merge-request.ts'
import { MergeRequestDetailsWire } from '../shapes/merge-request-changes.ts'
import { MilestoneWire } from '../shapes/milestone.ts'
import { ProjectDetailsWire, projectPage } from '../shapes/project.ts'
import { UserSummaryWire, UserWire } from '../shapes/user.ts'
import { computed, wire } from '../wire.ts'

const { instance, users, projects, issues, mergeRequests, mergeRequestChanges, milestones, awardEmoji } = features

const VersionWire = wire<Version>()({ version: v.string(), revision: v.string(), enterprise: v.boolean() })

const AwardWire = wire<Award>()({
  id: v.number(),
  name: v.string(),
  user: UserSummaryWire,
  created_at: v.string(),
  /** Nothing about it can change. */
  updated_at: computed(v.string(), ({ createdAt }: Award) => createdAt),
  awardable_id: v.number(),
  awardable_type: v.string(),
})

/** None of this is in the documents: tools ask for it before, and besides, what they are for. */
const extension = { extension: true } as const

const issuable = { ...extension, omit: ['author'] } as const
/** People and milestones go by ids here. */
const byId = { assignee_ids: 'assignees', milestone_id: 'milestone' } as const
const ofIssue = { issue_iid: 'issue' } as const
const ofMergeRequest = { merge_request_iid: 'mergeRequest' } as const

const issue = '/projects/:id/issues/:issue_iid'
const mergeRequest = '/projects/:id/merge_requests/:merge_request_iid'

export const companionRoutes = [
  route('GET /version', instance.version, one(VersionWire), extension),
  route('GET /user', users.current, one(UserWire), extension),
  route('GET /users', users.find, page(UserSummaryWire), extension),
  route('GET /users/:id', users.profile, one(UserSummaryWire), { ...extension, names: { id: 'user' }, ids: ['id'] }),
  route('GET /projects', projects.list, projectPage, extension),
  route('GET /projects/:id', projects.details, one(ProjectDetailsWire), extension),

  route('GET /projects/:id/issues', issues.list, page(IssueWire), extension),
  route('POST /projects/:id/issues', issues.create, one(IssueWire), { ...issuable, names: byId }),
  route(`GET ${issue}`, issues.get, one(IssueWire), { ...extension, names: ofIssue }),
  route(`PUT ${issue}`, issues.update, one(IssueWire), { ...extension, names: { ...ofIssue, ...byId } }),
  route(`GET ${issue}/award_emoji`, awardEmoji.listOnIssue, page(AwardWire), { ...extension, names: ofIssue }),
  route(`POST ${issue}/award_emoji`, awardEmoji.giveToIssue, one(AwardWire), {
    ...extension,
    names: ofIssue,
    omit: ['user'],
  }),

  route('GET /projects/:id/merge_requests', mergeRequests.list, page(MergeRequestWire), extension),
  route('POST /projects/:id/merge_requests', mergeRequests.create, one(MergeRequestWire), {
    ...issuable,
    names: byId,
  }),
  route(`GET ${mergeRequest}`, mergeRequestChanges.get, one(MergeRequestDetailsWire), {
    ...extension,
    names: ofMergeRequest,
  }),
  route(`PUT ${mergeRequest}`, mergeRequests.update, one(MergeRequestWire), {
    ...extension,
    names: { ...ofMergeRequest, ...byId },
  }),
  route(`PUT ${mergeRequest}/merge`, mergeRequests.merge, one(MergeRequestWire), {
    ...extension,
    names: ofMergeRequest,
  }),
  route(`GET ${mergeRequest}/award_emoji`, awardEmoji.listOnMergeRequest, page(AwardWire), {
    ...extension,
    names: ofMergeRequest,
  }),
  route(`POST ${mergeRequest}/award_emoji`, awardEmoji.giveToMergeRequest, one(AwardWire), {
    ...extension,
    names: ofMergeRequest,
    omit: ['user'],
  }),

  route('GET /projects/:id/milestones', milestones.list, page(MilestoneWire), extension),
  route('POST /projects/:id/milestones', milestones.create, one(MilestoneWire), extension),
]
