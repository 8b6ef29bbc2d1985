import { isDeepStrictEqual } from 'node:util'
import { instance } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, invalidInput } from '../../../kernel/errors.ts'
import { atLeastOne } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { defined } from '../../../shared/defined.ts'
import { keysOf } from '../../../shared/keys-of.ts'
import { type ApplicationSettings, toApplicationSettings } from './application-settings.ts'
import {
  isSecretSetting,
  type SettingName,
  type Settings,
  type SettingsChange,
  type SettingsInput,
  settingDefinition,
  settingInputs,
  toSettingsChange,
} from './definition.ts'
import { getSettings, isSettingSet } from './queries.ts'
import { storeSecret, withSecrets } from './secret-values.ts'
import { findSettingProblems } from './setting-rules.ts'

const requireAnySetting = atLeastOne<SettingsInput>(...keysOf(settingInputs))

/** Ignores settings of the paid tier on a platform without it, where they do not exist. */
const withoutUnlicensed = (ctx: Context, change: SettingsChange): SettingsChange =>
  ctx.tier === 'paid'
    ? change
    : Object.fromEntries(Object.entries(change).filter(([name]) => !settingDefinition(name as SettingName).paid))

const storeSetting = async (ctx: Context, name: SettingName, value: unknown): Promise<void> => {
  if (isSecretSetting(name)) return storeSecret(ctx, name, value as string | null)
  const row = { value: JSON.stringify(value), updatedAt: ctx.now }
  await ctx.db
    .insertInto('applicationSetting')
    .values({ name, ...row } satisfies CompleteRow<'applicationSetting'>)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

/** The settings as they will be after the change, with decrypted secrets. */
const previewSettings = async (ctx: Context, change: SettingsChange): Promise<Settings> => {
  const next = await withSecrets(ctx, await getSettings(ctx))
  for (const [name, value] of Object.entries(change)) {
    Object.defineProperty(next, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return next
}

/** @throws PlatformError `invalid` for names of storages that the host has not configured */
const assertStoragesExist = ({ ports }: Context, { repositoryStorages = [] }: SettingsChange): void => {
  const { names = ['default'] } = ports.repositories
  const unknown = repositoryStorages.filter((name) => !names.includes(name))
  if (unknown.length) throw invalid({ repositoryStorages: [`can't include: ${unknown.join(', ')}`] })
}

/**
 * All users have to accept terms that are new or were changed, except the administrator who sets them; none while they are not enforced.
 */
const requireTerms = async (ctx: Context, before: Settings, after: Settings): Promise<void> => {
  if (after.enforceTerms === before.enforceTerms && (after.terms === before.terms || !after.enforceTerms)) return
  const users = ctx.db.updateTable('user').set({ mustAcceptTerms: after.enforceTerms })
  const others = users.where('bot', '=', false).where('id', '!=', getUserId(ctx.actor))
  await (after.enforceTerms ? others : users).execute()
}

const readApplicationSettings = async (ctx: Context): Promise<ApplicationSettings> =>
  toApplicationSettings(await getSettings(ctx), ctx.tier)

export const settings = {
  /** Gets all settings of the platform without the secret ones. */
  get: query({ on: instance, can: 'settings.manage', run: readApplicationSettings }),

  /**
   * Changes settings; omitted ones stay unchanged. Secrets are stored encrypted; null or a blank string removes them. A
   * setting that requires other settings can be enabled before them and takes effect when they are present.
   */
  update: command({
    on: instance,
    can: 'settings.manage',
    input: settingInputs,
    rules: [requireAnySetting] as never,
    async run(ctx, input): Promise<ApplicationSettings> {
      const change = withoutUnlicensed(ctx, toSettingsChange(input))
      const names = keysOf(change)
      if (!names.length) throw invalidInput([defined(requireAnySetting({}))])
      const problems = findSettingProblems(await previewSettings(ctx, change), change)
      if (Object.keys(problems).length) throw invalid(problems)
      assertStoragesExist(ctx, change)
      const present = await getSettings(ctx)
      for (const name of names) {
        const isSame = !isSecretSetting(name) && isDeepStrictEqual(change[name], present[name])
        if (!isSame || !(await isSettingSet(ctx, name))) await storeSetting(ctx, name, change[name])
      }
      await requireTerms(ctx, present, await getSettings(ctx))
      return readApplicationSettings(ctx)
    },
  }),
}
