import { features } from '@forgelet/core/operations'
import { one, oneIfChanged, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { TimeStatsWire } from '../shapes/issuable.ts'
import { IssueDetailsWire } from '../shapes/issue.ts'
import { MergeRequestDetailsWire } from '../shapes/merge-request-changes.ts'
import { TodoWire } from '../shapes/todo.ts'
import { UserSummaryWire } from '../shapes/user.ts'

const { subscriptions, timeTracking, todos } = features

const issuePath = '/projects/:id/issues/:issue_iid'
const mergeRequestPath = '/projects/:id/merge_requests/:merge_request_iid'

const onIssue = { extension: true, names: { issue_iid: 'issue' }, hidden: ['mergeRequest'] } satisfies RouteOptions
const onMergeRequest = {
  extension: true,
  names: { merge_request_iid: 'mergeRequest' },
  hidden: ['issue'],
} satisfies RouteOptions

/** Inputs of to-do items that only the host sets. */
const hostOnly = ['user', 'action', 'author'] as const

/** Routes that issues and merge requests have in common. */
const sharedRoutes = [
  { base: issuePath, options: onIssue },
  { base: mergeRequestPath, options: onMergeRequest },
].flatMap(({ base, options }) => [
  route(`GET ${base}/participants`, subscriptions.listParticipants, page(UserSummaryWire), options),
  route(`GET ${base}/time_stats`, timeTracking.get, one(TimeStatsWire), options),
  route(`POST ${base}/time_estimate`, timeTracking.setEstimate, one(TimeStatsWire), { ...options, creates: false }),
  route(`POST ${base}/reset_time_estimate`, timeTracking.resetEstimate, one(TimeStatsWire), {
    ...options,
    creates: false,
  }),
  route(`POST ${base}/add_spent_time`, timeTracking.addSpent, one(TimeStatsWire), options),
  route(`POST ${base}/reset_spent_time`, timeTracking.resetSpent, one(TimeStatsWire), { ...options, creates: false }),
  route(`POST ${base}/todo`, todos.create, oneIfChanged('todo', TodoWire), {
    ...options,
    hidden: [...options.hidden, 'epic', ...hostOnly],
  }),
])

export const issuableRoutes = [
  ...sharedRoutes,
  route('POST /groups/:id/epics/:epic_iid/todo', todos.create, oneIfChanged('todo', TodoWire), {
    extension: true,
    names: { epic_iid: 'epic' },
    hidden: ['issue', 'mergeRequest', ...hostOnly],
  }),
  ...(['subscribe', 'unsubscribe'] as const).flatMap((verb) => [
    route(`POST ${issuePath}/${verb}`, subscriptions[verb], oneIfChanged('issue', IssueDetailsWire), onIssue),
    route(
      `POST ${mergeRequestPath}/${verb}`,
      subscriptions[verb],
      oneIfChanged('mergeRequest', MergeRequestDetailsWire),
      onMergeRequest,
    ),
  ]),
]
