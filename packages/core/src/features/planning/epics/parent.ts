import type { CompleteRow } from '../../../db/complete-row.ts'
import { column } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { findFirstPosition } from '../issuables/positions.ts'
import type { EpicRecord } from './epic.ts'
import { epicById } from './subject.ts'

/** The limit of GitLab for levels of epics. */
const maximumLevels = 7

/** The manual order of the children of an epic. */
export const childOrder = (parentId: number) =>
  ({ table: 'epicLink', parent: 'parentId', parentId, position: column('epicLink.relativePosition') }) as const

const findParentId = async ({ db }: Context, id: number): Promise<number | undefined> =>
  (await db.selectFrom('epicLink').where('id', '=', id).select('parentId').executeTakeFirst())?.parentId

/** An epic and the epics above it. */
const findLineage = async (ctx: Context, id: number): Promise<number[]> => {
  const lineage: number[] = []
  for (let at: number | undefined = id; at !== undefined; at = await findParentId(ctx, at)) lineage.push(at)
  return lineage
}

/** The number of levels from an epic to its lowest descendant. */
const countLevels = async ({ db }: Context, id: number): Promise<number> => {
  let levels = 0
  for (let level = [id]; level.length; levels++) {
    const children = await db.selectFrom('epicLink').where('parentId', 'in', level).select('id').execute()
    level = children.map((child) => child.id)
  }
  return levels
}

/**
 * Makes an epic the first child of another one; it leaves its present parent. Returns whether it had another parent.
 *
 * @throws PlatformError `invalid` for a parent that is the epic or below it, and for too many levels
 */
export const linkChild = async (ctx: Context, parentId: number, id: number): Promise<boolean> => {
  if ((await findParentId(ctx, id)) === parentId) return false
  const lineage = await findLineage(ctx, parentId)
  if (lineage.includes(id)) throw invalid({ parentId: ['is the epic itself or one of its descendants'] })
  if (lineage.length + (await countLevels(ctx, id)) > maximumLevels)
    throw invalid({ parentId: [`has too many levels (maximum is ${maximumLevels})`] })
  const relativePosition = await findFirstPosition(ctx, childOrder(parentId))
  await ctx.db
    .insertInto('epicLink')
    .values({ id, parentId, relativePosition } satisfies CompleteRow<'epicLink'>)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ parentId, relativePosition }))
    .execute()
  return true
}

/** Removes an epic from its parent. */
export const unlinkChild = async ({ db }: Context, id: number): Promise<void> => {
  await db.deleteFrom('epicLink').where('id', '=', id).execute()
}

/**
 * Makes an epic of the same group, or of one above it, the parent; null removes the parent. The current user must be permitted to
 * update the parent.
 *
 * @throws PlatformError `not_found` for another epic, `forbidden` for one of others, `invalid` as `linkChild`
 */
export const setParent = async (
  ctx: Context,
  { id, groupId }: Pick<EpicRecord, 'id' | 'groupId'>,
  parentId: number | null,
): Promise<void> => {
  if (parentId === null) return unlinkChild(ctx, id)
  const above = await ctx.db
    .selectFrom('epic')
    .innerJoin('namespaceLineage', 'namespaceLineage.ancestorId', 'epic.groupId')
    .where('epic.id', '=', parentId)
    .where('namespaceLineage.namespaceId', '=', groupId)
    .select('epic.groupId')
    .executeTakeFirst()
  if (!above) throw notFound('Epic')
  assertAbility(ctx.actor, await loadVisible(ctx, epicById, { group: above.groupId, epicId: parentId }), 'epic.update')
  await linkChild(ctx, parentId, id)
}
