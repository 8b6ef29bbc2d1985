import type { Context } from '../kernel/context.ts'
import { Access, groupLevels } from './levels.ts'
import { projectsAt } from './predicates.ts'

/** The actor's level on each of these projects, inherited and shared memberships included; 0 for none. One query. */
export async function accessToProjects(ctx: Context, ids: readonly number[]): Promise<(id: number) => number> {
  if (!ids.length || ctx.actor.kind !== 'user') return () => Access.none
  const heldAt = (level: number) =>
    ctx.db
      .selectFrom(projectsAt(ctx, level).as('held'))
      .where('held.id', 'in', ids)
      .select((eb) => ['held.id as id', eb.lit(level).as('level')])
  const [first, ...others] = groupLevels as [number, ...number[]]
  const rows = await others.reduce((all, level) => all.unionAll(heldAt(level)), heldAt(first)).execute()
  const levels = new Map<number, number>()
  for (const { id, level } of rows) levels.set(id, Math.max(level, levels.get(id) ?? Access.none))
  return (id) => levels.get(id) ?? Access.none
}
