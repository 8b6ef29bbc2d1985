import { features } from '@forgelet/core/operations'
import { route } from '../route.ts'
import { one, page } from '../send.ts'
import { IssueWire } from '../shapes/issue.ts'
import { MergeRequestWire } from '../shapes/merge-request.ts'
import {
  ApprovalsWire,
  MergeRequestWithChangesWire,
  VersionDetailsWire,
  VersionWire,
} from '../shapes/merge-request-changes.ts'
import { CommitWire, DiffWire } from '../shapes/repository.ts'

const { mergeRequestChanges, mergeRequestApprovals } = features

const at = '/projects/:id/merge_requests/:merge_request_iid'
/** Not in the documents: what tools read before they write a note. */
const inMergeRequest = { extension: true, names: { merge_request_iid: 'mergeRequest' } } as const
const ofIssue = { extension: true, names: { issue_iid: 'issue' } } as const
const approving = { ...inMergeRequest, omit: ['user'] }

export const mergeRequestChangeRoutes = [
  route(`GET ${at}/commits`, mergeRequestChanges.commits, page(CommitWire), inMergeRequest),
  route(`GET ${at}/diffs`, mergeRequestChanges.diffs, page(DiffWire), inMergeRequest),
  route(`GET ${at}/changes`, mergeRequestChanges.changes, one(MergeRequestWithChangesWire), inMergeRequest),
  route(`GET ${at}/versions`, mergeRequestChanges.versions, page(VersionWire), inMergeRequest),
  route(`GET ${at}/versions/:version_id`, mergeRequestChanges.version, one(VersionDetailsWire), {
    ...inMergeRequest,
    names: { ...inMergeRequest.names, version_id: 'version' },
  }),
  route(`GET ${at}/closes_issues`, mergeRequestChanges.closesIssues, page(IssueWire), inMergeRequest),
  route(`GET ${at}/approvals`, mergeRequestApprovals.get, one(ApprovalsWire), inMergeRequest),
  route(`POST ${at}/approve`, mergeRequestApprovals.approve, one(ApprovalsWire), approving),
  route(`POST ${at}/unapprove`, mergeRequestApprovals.unapprove, one(ApprovalsWire), approving),

  route(
    'GET /projects/:id/repository/commits/:sha/merge_requests',
    mergeRequestChanges.ofCommit,
    page(MergeRequestWire),
    {
      extension: true,
    },
  ),
  route(
    'GET /projects/:id/issues/:issue_iid/related_merge_requests',
    mergeRequestChanges.relatedToIssue,
    page(MergeRequestWire),
    ofIssue,
  ),
  route(
    'GET /projects/:id/issues/:issue_iid/closed_by',
    mergeRequestChanges.closingIssue,
    page(MergeRequestWire),
    ofIssue,
  ),
]
