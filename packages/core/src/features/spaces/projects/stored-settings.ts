import { type PipelineReaders, type RestrictedFeatures, restrictableFeatures } from '../../../access/levels.ts'
import { isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import {
  type PartialProjectSettings,
  type ProjectSettings,
  withChangedSettings,
  withDefaultSettings,
} from './settings.ts'
import type { FeatureSettings } from './settings-features.ts'

const readStoredSettings = async ({ db }: Context, projectId: number) =>
  (await db.selectFrom('project').where('id', '=', projectId).select('settings').executeTakeFirst())?.settings ?? null

/** The settings of a project, completed with defaults. */
export const readProjectSettings = async (ctx: Context, projectId: number): Promise<ProjectSettings> =>
  withDefaultSettings(await readStoredSettings(ctx, projectId))

/** Who can see pipelines by these settings of a project. */
const findPipelineReaders = ({
  buildsAccessLevel,
  publicJobs,
}: Pick<FeatureSettings, 'buildsAccessLevel'> & { readonly publicJobs: boolean }): PipelineReaders => {
  if (buildsAccessLevel === 'disabled') return 'nobody'
  if (!publicJobs) return 'reporters'
  return buildsAccessLevel === 'private' ? 'members' : 'everyone'
}

/** The features with another level than the default; null if there are none. */
const findRestrictedFeatures = (settings: FeatureSettings): RestrictedFeatures | null => {
  const levels = restrictableFeatures.map((feature) => [feature, settings[`${feature}AccessLevel`]] as const)
  const restricted = levels.filter(([, level]) => level !== 'enabled')
  return restricted.length ? Object.fromEntries(restricted) : null
}

/** The columns of a project that contain its settings, and what follows from them. */
export const toSettingColumns = (settings: PartialProjectSettings | null) => {
  const complete = withDefaultSettings(settings)
  return {
    settings,
    pipelineReaders: findPipelineReaders(complete),
    restrictedFeatures: findRestrictedFeatures(complete),
  }
}

/** Changes of settings without the name of the storage, which only administrators and the host change. */
export const withoutStorage = ({ actor }: Context, changes: PartialProjectSettings | undefined) => {
  if (changes?.repositoryStorage === undefined || actor.kind === 'system' || isAdministrator(actor)) return changes
  const { repositoryStorage: _, ...others } = changes
  return others
}

/** The columns with the settings of a project after changes. */
export const mergeSettings = async (ctx: Context, projectId: number, changes: PartialProjectSettings) =>
  toSettingColumns(withChangedSettings(await readStoredSettings(ctx, projectId), changes))

/** Changes settings of a project. */
export const updateProjectSettings = async (
  ctx: Context,
  projectId: number,
  changes: PartialProjectSettings,
): Promise<void> => {
  const columns = await mergeSettings(ctx, projectId, changes)
  await ctx.db.updateTable('project').set(columns).where('id', '=', projectId).execute()
}
