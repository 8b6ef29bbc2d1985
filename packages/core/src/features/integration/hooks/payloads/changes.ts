import type { UserSummary } from '../../../accounts/users/user.ts'
import type { MergeRequest } from '../../../collaboration/merge-requests/merge-request.ts'
import type { Issue } from '../../../planning/issues/issue.ts'
import type { HookPayload } from '../delivery.ts'
import { buildUser } from './common.ts'

type Issuable = Issue | MergeRequest

/** The compared fields with their names in payloads. */
const plainFields = {
  title: 'title',
  description: 'description',
  milestoneId: 'milestone_id',
  confidential: 'confidential',
  discussionLocked: 'discussion_locked',
  dueDate: 'due_date',
  weight: 'weight',
  timeEstimate: 'time_estimate',
  totalTimeSpent: 'total_time_spent',
  targetBranch: 'target_branch',
  workInProgress: 'draft',
  updatedAt: 'updated_at',
} as const

const stateIds = { opened: 1, closed: 2, merged: 3 } as const

/** The number of a state in payloads. */
export const toStateId = (state: Issuable['state']): number => stateIds[state]

const haveSameIds = (one: readonly UserSummary[], other: readonly UserSummary[]) =>
  one.length === other.length && one.every(({ id }, index) => id === other[index]?.id)

/** A user in payloads. */
type BuildUser = (user: UserSummary) => HookPayload

const compareUsers = (build: BuildUser, before: readonly UserSummary[], after: readonly UserSummary[]) =>
  haveSameIds(before, after) ? undefined : { previous: before.map(build), current: after.map(build) }

/** The property `changes`: previous and current values of the changed fields, without labels. */
export const compareIssuables = (
  site: string,
  before: Issuable,
  after: Issuable,
  buildReviewer: BuildUser = buildUser(site),
): HookPayload => {
  const assignees = compareUsers(buildUser(site), before.assignees, after.assignees)
  const reviewers =
    'reviewers' in before && 'reviewers' in after
      ? compareUsers(buildReviewer, before.reviewers, after.reviewers)
      : undefined
  const [previous, current] = [before, after] as unknown as readonly HookPayload[]
  const plain = Object.entries(plainFields).flatMap(([field, name]) =>
    previous?.[field] === current?.[field]
      ? []
      : [[name, { previous: previous?.[field], current: current?.[field] }] as const],
  )
  return {
    ...Object.fromEntries(plain),
    ...(assignees && { assignees }),
    ...(reviewers && { reviewers }),
  }
}

/** The fields of new items in addition to those that an update compares. */
const creationFields = {
  id: 'id',
  iid: 'iid',
  authorId: 'author_id',
  createdAt: 'created_at',
  sourceBranch: 'source_branch',
  sourceProjectId: 'source_project_id',
} as const

/** The property `changes` of a new item: each field that has a value, with the previous value null; lists were empty. */
export const compareCreated = (
  site: string,
  created: Issuable,
  buildReviewer: BuildUser = buildUser(site),
): HookPayload => {
  const current = created as unknown as HookPayload
  const names = { ...creationFields, ...plainFields }
  const plain = Object.entries(names).flatMap(([field, name]) =>
    current[field] == null ? [] : [[name, { previous: null, current: current[field] }] as const],
  )
  const lists = {
    assignees: compareUsers(buildUser(site), [], created.assignees),
    reviewers: compareUsers(buildReviewer, [], 'reviewers' in created ? created.reviewers : []),
  }
  return {
    ...Object.fromEntries([...plain, ...Object.entries(lists).filter(([, change]) => change)]),
    ['sourceBranch' in created ? 'target_project_id' : 'project_id']: { previous: null, current: created.projectId },
    state_id: { previous: null, current: toStateId(created.state) },
  }
}

/** The property `changes` of a changed state. */
export const compareStates = (previous: Issuable['state'], current: Issuable['state']): HookPayload => ({
  state_id: { previous: toStateId(previous), current: toStateId(current) },
})

/** The property `changes` of changed labels. */
export const compareLabels = (previous: readonly HookPayload[], current: readonly HookPayload[]): HookPayload =>
  previous.length === current.length && previous.every(({ id }, index) => id === current[index]?.id)
    ? {}
    : { labels: { previous, current } }
