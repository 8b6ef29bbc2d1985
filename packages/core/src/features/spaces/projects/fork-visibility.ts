import { isMoreVisible, type Visibility, visibilities } from '../../../access/levels.ts'
import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'

/** A project that was removed, or none, limits nothing. */
const findSourceVisibility = async ({ db }: Context, forkId: number): Promise<Visibility | undefined> => {
  const row = await db
    .selectFrom('project as fork')
    .innerJoin('project as source', 'source.id', 'fork.forkedFromId')
    .where('fork.id', '=', forkId)
    .select('source.visibility')
    .executeTakeFirst()
  return row?.visibility
}

/** @throws PlatformError `invalid` for a fork that would be more visible than its source */
export const assertNotMoreVisible = (fork: Visibility, source: Visibility | undefined): void => {
  if (source !== undefined && isMoreVisible(fork, source))
    throw invalid({ visibility: ['is not allowed: the source project of the fork is less visible'] })
}

/** @throws PlatformError `invalid` if the project is a fork of a project that is less visible */
export const assertForkVisibility = async (ctx: Context, { id }: Project, visibility: Visibility): Promise<void> =>
  assertNotMoreVisible(visibility, await findSourceVisibility(ctx, id))

/** Forks of one statement. */
const batchSize = 500

/** Gives all forks of a project, and their forks, at most the visibility that the project has now. */
export const restrictForks = async (ctx: Context, { id, visibility }: Project): Promise<void> => {
  const higher = visibilities.filter((other) => isMoreVisible(other, visibility))
  const sources = [id]
  while (sources.length > 0) {
    const rows = ctx.db.selectFrom('project').where('forkedFromId', 'in', sources.splice(0, batchSize))
    const forks = await rows.where('visibility', 'in', higher).select('id').execute()
    for (const fork of forks) {
      const before = await findProject(ctx, fork.id)
      await ctx.db.updateTable('project').set({ visibility, updatedAt: ctx.now }).where('id', '=', fork.id).execute()
      const after = await findProject(ctx, fork.id)
      if (before && after) await ctx.emit('project.updated', { before: { ...before }, after: { ...after } })
      sources.push(fork.id)
    }
  }
}
