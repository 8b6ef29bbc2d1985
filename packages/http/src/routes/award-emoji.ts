import { type Award, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer } from '../reply/field-types.ts'
import { one, page } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { UserSummaryWire } from '../shapes/user.ts'

const { awardEmoji } = features

const AwardWire = wire<Award>('AwardEmoji')({
  id: Integer,
  name: v.string(),
  user: UserSummaryWire,
  created_at: DateTime,
  /** Awards cannot be changed. */
  updated_at: computed(DateTime, ({ createdAt }: Award) => createdAt),
  awardable_id: Integer,
  awardable_type: v.string(),
})

const onIssue = { extension: true, names: { issue_iid: 'issue' } } satisfies RouteOptions
const onMergeRequest = { extension: true, names: { merge_request_iid: 'mergeRequest' } } satisfies RouteOptions

const issuePath = '/projects/:id/issues/:issue_iid/award_emoji'
const mergeRequestPath = '/projects/:id/merge_requests/:merge_request_iid/award_emoji'

export const awardEmojiRoutes = [
  route(`GET ${issuePath}`, awardEmoji.listOnIssue, page(AwardWire), onIssue),
  route(`POST ${issuePath}`, awardEmoji.giveToIssue, one(AwardWire), { ...onIssue, hidden: ['user'] }),
  route(`GET ${mergeRequestPath}`, awardEmoji.listOnMergeRequest, page(AwardWire), onMergeRequest),
  route(`POST ${mergeRequestPath}`, awardEmoji.giveToMergeRequest, one(AwardWire), {
    ...onMergeRequest,
    hidden: ['user'],
  }),
]
