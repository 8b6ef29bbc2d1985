import type { Context } from '../../kernel/context.ts'
import { type PartialProjectSettings, type ProjectSettings, withDefaultSettings } from './settings.ts'

const readStoredSettings = async ({ db }: Context, projectId: number) =>
  (await db.selectFrom('project').where('id', '=', projectId).select('settings').executeTakeFirst())?.settings ?? null

/** The settings of a project, completed with defaults. */
export const readProjectSettings = async (ctx: Context, projectId: number): Promise<ProjectSettings> =>
  withDefaultSettings(await readStoredSettings(ctx, projectId))

/** The stored settings of a project with changes. */
export const mergeSettings = async (
  ctx: Context,
  projectId: number,
  changes: PartialProjectSettings,
): Promise<PartialProjectSettings> => ({ ...(await readStoredSettings(ctx, projectId)), ...changes })

/** Changes settings of a project. */
export const updateProjectSettings = async (
  ctx: Context,
  projectId: number,
  changes: PartialProjectSettings,
): Promise<void> => {
  const settings = await mergeSettings(ctx, projectId, changes)
  await ctx.db.updateTable('project').set({ settings }).where('id', '=', projectId).execute()
}
