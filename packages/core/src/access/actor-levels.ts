import type { Context } from '../kernel/context.ts'
import { Access, groupLevels } from './levels.ts'
import { projectIdsWithAccess } from './predicates.ts'

/** The actor's level on each of these projects, including inherited and shared memberships; 0 for none. Runs one query. */
export async function getProjectAccessLevels(ctx: Context, ids: readonly number[]): Promise<(id: number) => number> {
  if (!ids.length || ctx.actor.kind !== 'user') return () => Access.none
  const selectAtLevel = (level: number) =>
    ctx.db
      .selectFrom(projectIdsWithAccess(ctx, level).as('accessible'))
      .where('accessible.id', 'in', ids)
      .select((eb) => ['accessible.id as id', eb.lit(level).as('level')])
  const [first, ...others] = groupLevels as [number, ...number[]]
  const rows = await others.reduce((all, level) => all.unionAll(selectAtLevel(level)), selectAtLevel(first)).execute()
  const levels = new Map<number, number>()
  for (const { id, level } of rows) levels.set(id, Math.max(level, levels.get(id) ?? Access.none))
  return (id) => levels.get(id) ?? Access.none
}
