import type { Subjects } from '../../contract/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { selectMembers } from '../members/queries.ts'
import { type TodoTarget, toTargetKey } from '../todos/todo-target.ts'

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

/** The author, commenters and users who were mentioned. */
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
  return [authorId, ...commenters.map((row) => row.authorId), ...mentioned.map(({ userId }) => userId)]
}

/** Users who subscribed to a label of the target in the target's project. */
const findSubscribers = async (ctx: Context, target: TodoTarget): Promise<number[]> => {
  if (target.kind === 'epic') return []
  const { id, projectId } = toTargetKey(target)
  const labels =
    target.kind === 'issue'
      ? ctx.db.selectFrom('issueLabel').where('issueId', '=', id).select('labelId')
      : ctx.db.selectFrom('mergeRequestLabel').where('mergeRequestId', '=', id).select('labelId')
  const rows = await ctx.db
    .selectFrom('labelSubscription')
    .where('projectId', '=', projectId as number)
    .where('labelId', 'in', labels)
    .select('userId')
    .distinct()
    .execute()
  return rows.map(({ userId }) => userId)
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

/** All users that an event may concern, regardless of their settings. */
export async function findCandidates(
  ctx: Context,
  target: TodoTarget,
  mentioned: readonly number[],
): Promise<Candidates> {
  const candidates: Candidates = new Map()
  addReason(candidates, 'mentioned', mentioned)
  addReason(candidates, 'assigned', await findAssignees(ctx, target))
  addReason(candidates, 'participating', await findParticipants(ctx, target))
  addReason(candidates, 'subscribed', await findSubscribers(ctx, target))
  addReason(candidates, 'watching', await findWatchers(ctx, target))
  return candidates
}
