import type { Context } from '../../../kernel/context.ts'

/** Forks of forks that are followed; a longer chain counts as a network of its own. */
const maxDepth = 100

/** The project that a project and its forks come from; the project itself if it is not a fork. */
const findRoot = async ({ db }: Context, projectId: number): Promise<number> => {
  let root = projectId
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const row = await db.selectFrom('project').where('id', '=', root).select('forkedFromId').executeTakeFirst()
    if (row === undefined || row.forkedFromId === null) break
    root = row.forkedFromId
  }
  return root
}

/** Whether two projects are forks of each other or of the same project, directly or through other forks. */
export const areOfSameNetwork = async (ctx: Context, one: number, other: number): Promise<boolean> =>
  one === other || (await findRoot(ctx, one)) === (await findRoot(ctx, other))
