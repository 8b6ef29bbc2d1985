import type { Context } from '../../../kernel/context.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import type { JobContext } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import { removeImported } from '../../accounts/removal/contents.ts'
import { removeGroupInSteps } from '../../accounts/removal/steps.ts'
import { updateProjectSettings } from '../../spaces/projects/stored-settings.ts'
import type { ImportPlan } from '../imports/import-plan.ts'

/** Counters of a project or a group that an import advances. */
const counters = {
  projectId: ['issue', 'mergeRequest', 'milestone'],
  groupId: ['epic', 'groupMilestone'],
} as const

/** Fields of a group that an import sets before it creates subgroups, which they limit. */
const emptyGroup = { visibility: 'private', description: '' } as const

const removeRows = async (ctx: Context, column: keyof typeof counters, id: number, importer: string) => {
  const { db } = ctx
  const user = db.selectFrom('user').where('username', '=', importer).select('id')
  await db.deleteFrom('member').where(column, '=', id).where('userId', 'not in', user).execute()
  await db.deleteFrom('internalId').where('kind', 'in', counters[column]).where('ownerId', '=', id).execute()
}

const resetProject = async (ctx: Context, id: number, importer: string) => {
  const { db } = ctx
  await removeRows(ctx, 'projectId', id, importer)
  await db.deleteFrom('projectRepository').where('projectId', '=', id).execute()
  await db.deleteFrom('projectSize').where('projectId', '=', id).execute()
  await db.updateTable('project').set({ emptyRepo: true }).where('id', '=', id).execute()
  await updateProjectSettings(ctx, id, { readmePath: null, license: null })
}

const removeRepository = async ({ ports: { git, repositories } }: JobContext, storageKey: string) => {
  try {
    await git.remove(repositories.directoryOf(storageKey))
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'not_found') throw error
  }
}

const clearProject = async (tools: JobContext, id: number, { target, repositoryKey }: ImportPlan) => {
  await repeatStep(tools, (ctx) => removeImported(ctx, 'projectId', id))
  await tools.write((ctx) => resetProject(ctx, id, target.importer))
  await removeRepository(tools, repositoryKey)
}

const clearGroup = async (tools: JobContext, id: number, { target }: ImportPlan) => {
  const subgroups = await tools.write(({ db }) =>
    db.selectFrom('namespace').where('parentId', '=', id).select('id').execute(),
  )
  for (const subgroup of subgroups) await removeGroupInSteps(tools, subgroup.id)
  await repeatStep(tools, (ctx) => removeImported(ctx, 'groupId', id))
  await tools.write(async (ctx) => {
    await removeRows(ctx, 'groupId', id, target.importer)
    await ctx.db.updateTable('namespace').set(emptyGroup).where('id', '=', id).execute()
  })
}

/**
 * Removes what an attempt added to its project or group, in several transactions. Only the importer remains a member. It can be
 * repeated after a crash.
 */
export async function clearContent(tools: JobContext, plan: ImportPlan): Promise<void> {
  const { projectId, groupId } = plan
  if (projectId !== null) await clearProject(tools, projectId, plan)
  if (groupId !== null) await clearGroup(tools, groupId, plan)
}
