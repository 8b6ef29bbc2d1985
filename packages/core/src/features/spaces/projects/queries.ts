import { findProject } from '../../../access/projects.ts'
import type { Context } from '../../../kernel/context.ts'

/** Full paths of projects, by id. */
export async function projectPaths(ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const distinct = [...new Set(ids)]
  const [first, ...others] = distinct
  if (first === undefined) return new Map()
  // The project of a call is cached.
  const only = others.length ? undefined : await findProject(ctx, first)
  if (only) return new Map([[only.id, only.fullPath]])
  const rows = await ctx.db.selectFrom('project').where('id', 'in', distinct).select(['id', 'fullPath']).execute()
  return new Map(rows.map(({ id, fullPath }) => [id, fullPath]))
}
