import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { subscriptionProjectId } from '../../planning/labels/queries.ts'
import { selectMembers } from '../../spaces/members/queries.ts'
import { type TodoTarget, toTargetKey } from '../todos/todo-target.ts'
import { type NotifiableEvent, relabelEvent } from './notification-setting.ts'

/** Reasons to notify a user, by precedence. */
export const notificationReasons = ['mentioned', 'assigned', 'participating', 'subscribed', 'watching'] as const

export type NotificationReason = (typeof notificationReasons)[number]

/** Reasons by user id. */
export type Candidates = Map<number, Set<NotificationReason>>

const addReason = (candidates: Candidates, reason: NotificationReason, userIds: Iterable<number>) => {
  for (const id of userIds) candidates.set(id, (candidates.get(id) ?? new Set()).add(reason))
}

const findAssignees = async (ctx: Context, target: TodoTarget): Promise<number[]> => {
  if (target.kind === 'epic') return []
  const { id } = toTargetKey(target)
  const rows =
    target.kind === 'issue'
      ? await ctx.db.selectFrom('issueAssignee').where('issueId', '=', id).select('userId').execute()
      : await ctx.db.selectFrom('mergeRequestAssignee').where('mergeRequestId', '=', id).select('userId').execute()
  return rows.map(({ userId }) => userId)
}

/** The author, commenters, reviewers and users who were mentioned. */
const findParticipants = async (ctx: Context, target: TodoTarget): Promise<number[]> => {
  const { kind, id } = toTargetKey(target)
  const { authorId } =
    target.kind === 'issue' ? target.issue : target.kind === 'epic' ? target.epic : target.mergeRequest
  const commenters = await ctx.db
    .selectFrom('note')
    .where(`note.${kind}Id`, '=', id)
    .where('system', '=', false)
    .select('authorId')
    .distinct()
    .execute()
  const mentioned = await ctx.db
    .selectFrom('todo')
    .where(`todo.${kind}Id`, '=', id)
    .where('action', 'in', ['mentioned', 'directly_addressed'])
    .select('userId')
    .distinct()
    .execute()
  const reviewers = await ctx.db
    .selectFrom('mergeRequestReviewer')
    .where('mergeRequestId', '=', kind === 'mergeRequest' ? id : 0)
    .select('userId')
    .execute()
  return [authorId, ...commenters.map((row) => row.authorId), ...[...mentioned, ...reviewers].map((row) => row.userId)]
}

/** The choices of users who subscribed to the target or unsubscribed from it, by user id. Epics have none. */
export async function findSubscriptions(ctx: Context, target: TodoTarget): Promise<ReadonlyMap<number, boolean>> {
  if (target.kind === 'epic') return new Map()
  const rows = await ctx.db
    .selectFrom('subscription')
    .where(`${target.kind}Id`, '=', toTargetKey(target).id)
    .select(['userId', 'subscribed'])
    .execute()
  return new Map(rows.map(({ userId, subscribed }) => [userId, subscribed]))
}

/** Labels by their ids or names. */
export type LabelReferences = readonly (number | string)[]

/** Users who subscribed to a label of the target, or to those of `labels` among them, in the target's project or a group. */
const findLabelSubscribers = async (
  ctx: Context,
  target: TodoTarget,
  labels: LabelReferences | undefined,
): Promise<number[]> => {
  if (target.kind === 'epic') return []
  const { id, projectId } = toTargetKey(target)
  const labelIds =
    target.kind === 'issue'
      ? ctx.db.selectFrom('issueLabel').where('issueId', '=', id).select('labelId')
      : ctx.db.selectFrom('mergeRequestLabel').where('mergeRequestId', '=', id).select('labelId')
  const rows = await ctx.db
    .selectFrom('labelSubscription')
    .innerJoin('label', 'label.id', 'labelSubscription.labelId')
    .where('labelSubscription.labelId', 'in', labelIds)
    .where((eb) => eb(subscriptionProjectId(eb), 'in', [eb.lit(0), eb.val(defined(projectId))]))
    .select(['labelSubscription.userId', 'label.id', 'label.name'])
    .execute()
  return rows
    .filter((row) => labels?.some((ref) => ref === row.id || ref === row.name) ?? true)
    .map((row) => row.userId)
}

/** Users with level `watch` or `custom` for the project or an ancestor group, and members with such a global level. */
const findWatchers = async (ctx: Context, target: TodoTarget): Promise<number[]> => {
  const namespaceId = target.kind === 'epic' ? target.group.id : target.project.namespaceId
  const ancestors = ctx.db.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId')
  const watching = ctx.db.selectFrom('notificationSetting').where('level', 'in', ['watch', 'custom']).select('userId')
  const atTarget = await watching
    .where((eb) => eb.or([eb('projectId', '=', toTargetKey(target).projectId ?? 0), eb('groupId', 'in', ancestors)]))
    .distinct()
    .execute()
  const container: Subjects['group'] | Subjects['project'] =
    target.kind === 'epic'
      ? { kind: 'group', group: target.group, access: 0, hasVisibleProject: false }
      : { kind: 'project', project: target.project, access: 0 }
  const globalWatchers = watching.where('projectId', 'is', null).where('groupId', 'is', null)
  const members = await selectMembers(ctx, container, globalWatchers).execute()
  return [...atTarget.map(({ userId }) => userId), ...members.map(({ id }) => id)]
}

/** Events that assign labels to their target, of which the subscribers of these labels are notified. */
const labelingEvents: readonly NotifiableEvent[] = ['newIssue', 'newMergeRequest', relabelEvent]

interface CandidatesOptions {
  readonly event: NotifiableEvent
  readonly mentioned: readonly number[]
  readonly labels: LabelReferences | undefined
  /** See `findSubscriptions`. */
  readonly subscriptions: ReadonlyMap<number, boolean>
}

/** All users that an event may concern, regardless of their settings. Added labels concern only their subscribers. */
export async function findCandidates(
  ctx: Context,
  target: TodoTarget,
  { event, mentioned, labels, subscriptions }: CandidatesOptions,
): Promise<Candidates> {
  const candidates: Candidates = new Map()
  if (labelingEvents.includes(event)) {
    addReason(candidates, 'subscribed', await findLabelSubscribers(ctx, target, labels))
  }
  if (event === relabelEvent) return candidates
  addReason(candidates, 'mentioned', mentioned)
  addReason(candidates, 'assigned', await findAssignees(ctx, target))
  addReason(candidates, 'participating', await findParticipants(ctx, target))
  for (const [userId, subscribed] of subscriptions) if (subscribed) addReason(candidates, 'subscribed', [userId])
  addReason(candidates, 'watching', await findWatchers(ctx, target))
  return candidates
}
