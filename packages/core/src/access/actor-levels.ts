import type { Context } from '../kernel/context.ts'
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
