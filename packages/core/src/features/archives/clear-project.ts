import type { Context } from '../../kernel/context.ts'
import type { JobContext } from '../../kernel/job.ts'
import { updateProjectSettings } from '../projects/stored-settings.ts'
import { removeImported } from '../removal/contents.ts'
import { repeatStep } from '../removal/steps.ts'

/** Counters of a project that an import advances. */
const counters = ['issue', 'mergeRequest', 'milestone'] as const

/** Removes the repository of an unfinished import. Returns where it is. */
const detachRepository = async (ctx: Context, projectId: number): Promise<string | undefined> => {
  const { db } = ctx
  const [repository] = await db
    .deleteFrom('projectRepository')
    .where('projectId', '=', projectId)
    .returning('place')
    .execute()
  await db.deleteFrom('projectSize').where('projectId', '=', projectId).execute()
  await db.updateTable('project').set({ emptyRepo: true }).where('id', '=', projectId).execute()
  await updateProjectSettings(ctx, projectId, { readmePath: null })
  return repository?.place
}

/**
 * Removes what an unfinished import added to its project, in several transactions. Only the importer remains a member. It can be
 * repeated after a crash.
 */
export async function clearProject(tools: JobContext, projectId: number, importer: string): Promise<void> {
  await repeatStep(tools, (ctx) => removeImported(ctx, projectId))
  const place = await tools.write(async (ctx) => {
    const { db } = ctx
    const user = db.selectFrom('user').where('username', '=', importer).select('id')
    await db.deleteFrom('member').where('projectId', '=', projectId).where('userId', 'not in', user).execute()
    await db.deleteFrom('internalId').where('kind', 'in', counters).where('ownerId', '=', projectId).execute()
    return detachRepository(ctx, projectId)
  })
  const { git, repositories } = tools.ports
  if (place !== undefined) await git.remove(repositories.directoryOf(place)).catch(() => undefined)
}
