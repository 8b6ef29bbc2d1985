import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound, PlatformError } from '../../../kernel/errors.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { epicById } from '../epics/subject.ts'
import { findFirstPosition } from '../issuables/positions.ts'
import { orderOf } from './order.ts'

const findAssignment = (ctx: Context, issueId: number) =>
  ctx.db.selectFrom('epicIssue').where('issueId', '=', issueId).select(['id', 'epicId']).executeTakeFirst()

/** Adds an issue to an epic as the first one; it leaves another epic. Returns the id of the link; undefined if it existed. */
export const assignToEpic = async (ctx: Context, epicId: number, issueId: number): Promise<number | undefined> => {
  const existing = await findAssignment(ctx, issueId)
  if (existing?.epicId === epicId) return undefined
  if (existing) await ctx.db.deleteFrom('epicIssue').where('id', '=', existing.id).execute()
  const relativePosition = await findFirstPosition(ctx, orderOf(epicId))
  const row = await ctx.db
    .insertInto('epicIssue')
    .values({ epicId, issueId, relativePosition } satisfies CompleteRow<'epicIssue'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

interface EpicReference {
  readonly epicId?: number | null | undefined
  readonly epicIid?: number | undefined
}

/**
 * The id of an epic by its id, or by its number in the group of a project; undefined for neither.
 *
 * @throws PlatformError `not_found` for an unknown number
 */
export const resolveEpicId = async (
  { db }: Context,
  { namespaceId }: Project,
  { epicId, epicIid }: EpicReference,
): Promise<number | null | undefined> => {
  if (epicId !== undefined || epicIid === undefined) return epicId
  const epics = db.selectFrom('epic').where('groupId', '=', namespaceId).where('iid', '=', epicIid)
  const row = await epics.select('id').executeTakeFirst()
  if (!row) throw notFound('Epic')
  return row.id
}

/** The group of an epic, if it is the group of a project or one above it. */
const findGroupAbove = (ctx: Context, epicId: number, namespaceId: number) =>
  ctx.db
    .selectFrom('epic')
    .innerJoin('namespaceLineage', 'namespaceLineage.ancestorId', 'epic.groupId')
    .where('epic.id', '=', epicId)
    .where('namespaceLineage.namespaceId', '=', namespaceId)
    .select('epic.groupId')
    .executeTakeFirst()

/**
 * Moves an issue to an epic of the groups above it, which the current user may update; null removes it from its epic.
 *
 * @throws PlatformError `not_licensed` without the paid tier, `not_found` for an unknown epic, `forbidden` for one of others
 */
export const setEpic = async (
  ctx: Context,
  issueId: number,
  { namespaceId }: Project,
  epicId: number | null,
): Promise<void> => {
  if (ctx.tier === 'free') throw new PlatformError('not_licensed', 'Epics require the paid tier')
  if (epicId === null) {
    await ctx.db.deleteFrom('epicIssue').where('issueId', '=', issueId).execute()
    return
  }
  const above = await findGroupAbove(ctx, epicId, namespaceId)
  if (!above) throw notFound('Epic')
  assertAbility(ctx.actor, await loadVisible(ctx, epicById, { group: above.groupId, epicId }), 'epic.update')
  await assignToEpic(ctx, epicId, issueId)
}
