import type { Context } from '../../kernel/context.ts'

/** Full paths of projects, by id. */
export async function projectPaths(ctx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const distinct = [...new Set(ids)]
  if (!distinct.length) return new Map()
  const rows = await ctx.db.selectFrom('project').where('id', 'in', distinct).select(['id', 'fullPath']).execute()
  return new Map(rows.map(({ id, fullPath }) => [id, fullPath]))
}
