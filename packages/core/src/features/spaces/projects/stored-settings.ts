import type { Context } from '../../../kernel/context.ts'
import {
  findPipelineReaders,
  type PartialProjectSettings,
  type ProjectSettings,
  withDefaultSettings,
} from './settings.ts'

const readStoredSettings = async ({ db }: Context, projectId: number) =>
  (await db.selectFrom('project').where('id', '=', projectId).select('settings').executeTakeFirst())?.settings ?? null

/** The settings of a project, completed with defaults. */
export const readProjectSettings = async (ctx: Context, projectId: number): Promise<ProjectSettings> =>
  withDefaultSettings(await readStoredSettings(ctx, projectId))

/** The columns of a project that contain its settings, and what follows from them. */
export const toSettingColumns = (settings: PartialProjectSettings | null) => ({
  settings,
  pipelineReaders: findPipelineReaders(settings),
})

/** The columns with the settings of a project after changes. */
export const mergeSettings = async (ctx: Context, projectId: number, changes: PartialProjectSettings) =>
  toSettingColumns({ ...(await readStoredSettings(ctx, projectId)), ...changes })

/** Changes settings of a project. */
export const updateProjectSettings = async (
  ctx: Context,
  projectId: number,
  changes: PartialProjectSettings,
): Promise<void> => {
  const columns = await mergeSettings(ctx, projectId, changes)
  await ctx.db.updateTable('project').set(columns).where('id', '=', projectId).execute()
}
