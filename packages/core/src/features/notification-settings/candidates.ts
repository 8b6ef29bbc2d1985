import type { Context } from '../../kernel/context.ts'
import type { Subjects } from '../../policy.ts'
import { membersAmong } from '../members/queries.ts'
import { placeOf, type TodoTarget } from '../todos/target.ts'

/** Why somebody may have to be told. The first one that holds is the one that is said. */
export const reasons = ['mentioned', 'assigned', 'participating', 'subscribed', 'watching'] as const

export type Reason = (typeof reasons)[number]

/** Users with what ties them to a fact. */
export type Candidates = Map<number, Set<Reason>>

const add = (candidates: Candidates, reason: Reason, userIds: Iterable<number>) => {
  for (const id of userIds) candidates.set(id, (candidates.get(id) ?? new Set()).add(reason))
}

const assignees = async (ctx: Context, found: TodoTarget): Promise<number[]> => {
  if (found.kind === 'epic') return []
  const { id } = placeOf(found)
  const rows =
    found.kind === 'issue'
      ? await ctx.db.selectFrom('issueAssignee').where('issueId', '=', id).select('userId').execute()
      : await ctx.db.selectFrom('mergeRequestAssignee').where('mergeRequestId', '=', id).select('userId').execute()
  return rows.map(({ userId }) => userId)
}

/** Who wrote it, commented on it, or was ever mentioned there. */
const participants = async (ctx: Context, found: TodoTarget): Promise<number[]> => {
  const { kind, id } = placeOf(found)
  const { authorId } = found.kind === 'issue' ? found.issue : found.kind === 'epic' ? found.epic : found.mergeRequest
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

/** Subscribers of the labels that it carries, in the project where it is. */
const subscribers = async (ctx: Context, found: TodoTarget): Promise<number[]> => {
  if (found.kind === 'epic') return []
  const { id, projectId } = placeOf(found)
  const labels =
    found.kind === 'issue'
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

/** Who set the project or a group above to a level that may tell of everything, and the members who did so everywhere. */
const watchers = async (ctx: Context, found: TodoTarget): Promise<number[]> => {
  const namespaceId = found.kind === 'epic' ? found.group.id : found.project.namespaceId
  const above = ctx.db.selectFrom('namespaceLineage').where('namespaceId', '=', namespaceId).select('ancestorId')
  const loud = ctx.db.selectFrom('notificationSetting').where('level', 'in', ['watch', 'custom']).select('userId')
  const here = await loud
    .where((eb) => eb.or([eb('projectId', '=', placeOf(found).projectId ?? 0), eb('groupId', 'in', above)]))
    .distinct()
    .execute()
  const place: Subjects['group'] | Subjects['project'] =
    found.kind === 'epic'
      ? { kind: 'group', group: found.group, access: 0, seenBelow: false }
      : { kind: 'project', project: found.project, access: 0 }
  const everywhere = loud.where('projectId', 'is', null).where('groupId', 'is', null)
  const members = await membersAmong(ctx, place, everywhere).execute()
  return [...here.map(({ userId }) => userId), ...members.map(({ id }) => id)]
}

/** Everybody whom a fact about a thing may concern, whatever they want to be told. */
export async function candidatesFor(
  ctx: Context,
  found: TodoTarget,
  mentioned: readonly number[],
): Promise<Candidates> {
  const candidates: Candidates = new Map()
  add(candidates, 'mentioned', mentioned)
  add(candidates, 'assigned', await assignees(ctx, found))
  add(candidates, 'participating', await participants(ctx, found))
  add(candidates, 'subscribed', await subscribers(ctx, found))
  add(candidates, 'watching', await watchers(ctx, found))
  return candidates
}
