import { isUnexpired, least } from '../db/functions.ts'
import { getUserId } from '../kernel/actor.ts'
import { awaitAll } from '../kernel/await-all.ts'
import { type Context, today } from '../kernel/context.ts'
import { hasProjectAccess } from './access-conditions.ts'
import { withGrants } from './grants.ts'
import { Access, groupLevels } from './levels.ts'

/** The actor's level on each of these projects, including inherited and shared memberships; 0 for none. Runs one query. */
export async function getProjectAccessLevels(ctx: Context, ids: readonly number[]): Promise<(id: number) => number> {
  if (!ids.length || ctx.actor.kind !== 'user') return () => Access.none
  const accessCtx = await withGrants(ctx)
  const selectAtLevel = (level: number) =>
    ctx.db
      .selectFrom('project')
      .where('project.id', 'in', ids)
      .where(hasProjectAccess(accessCtx, level))
      .select((eb) => ['project.id as id', eb.lit(level).as('level')])
  const [first, ...others] = groupLevels as [number, ...number[]]
  const rows = await others.reduce((all, level) => all.unionAll(selectAtLevel(level)), selectAtLevel(first)).execute()
  const levels = new Map<number, number>()
  for (const { id, level } of rows) levels.set(id, Math.max(level, levels.get(id) ?? Access.none))
  return (id) => levels.get(id) ?? Access.none
}

/** The highest level by namespace of memberships in it and its ancestors. */
const readMemberLevels = (ctx: Context, ids: readonly number[]) =>
  ctx.db
    .selectFrom('namespaceLineage as up')
    .innerJoin('member', 'member.groupId', 'up.ancestorId')
    .where('up.namespaceId', 'in', ids)
    .where('member.userId', '=', getUserId(ctx.actor))
    .where(isUnexpired('member.expiresAt', today(ctx)))
    .groupBy('up.namespaceId')
    .select((eb) => ['up.namespaceId as id', eb.fn.max<number>('member.accessLevel').as('level')])
    .execute()

/** The highest level by namespace of memberships in groups that it or an ancestor is shared with. */
const readSharedLevels = (ctx: Context, ids: readonly number[]) =>
  ctx.db
    .selectFrom('namespaceLineage as up')
    .innerJoin('share', 'share.groupId', 'up.ancestorId')
    .innerJoin('namespaceLineage as invited', 'invited.namespaceId', 'share.withGroupId')
    .innerJoin('member', 'member.groupId', 'invited.ancestorId')
    .where('up.namespaceId', 'in', ids)
    .where('member.userId', '=', getUserId(ctx.actor))
    .where(isUnexpired('member.expiresAt', today(ctx)))
    .where(isUnexpired('share.expiresAt', today(ctx)))
    .groupBy('up.namespaceId')
    .select('up.namespaceId as id')
    .select(({ fn, ref }) => fn.max<number>(least(ref('member.accessLevel'), ref('share.accessLevel'))).as('level'))
    .execute()

/** The actor's level on each of these groups: the highest of direct, inherited and shared memberships; 0 for none. */
export async function getGroupAccessLevels(ctx: Context, ids: readonly number[]): Promise<(id: number) => number> {
  if (!ids.length || ctx.actor.kind !== 'user') return () => Access.none
  const levels = new Map<number, number>()
  for (const { id, level } of (await awaitAll([readMemberLevels(ctx, ids), readSharedLevels(ctx, ids)])).flat())
    levels.set(id, Math.max(level, levels.get(id) ?? Access.none))
  return (id) => levels.get(id) ?? Access.none
}
