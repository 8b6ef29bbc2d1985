import { instance } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, invalidInput, type Problem } from '../../kernel/errors.ts'
import { atLeastOne } from '../../kernel/inputs.ts'
import { command, type InputRule, query } from '../../kernel/operation.ts'
import { type ApplicationSettings, toApplicationSettings } from './application-settings.ts'
import {
  isSecret,
  type SettingName,
  type Settings,
  type SettingsChange,
  type SettingsInput,
  settingDefinition,
  settingInputs,
  settingNames,
  settingsChange,
} from './definition.ts'
import { settingsInForce, storedSettings } from './queries.ts'
import { storeSecret, withSecrets } from './secret-values.ts'
import { missingCompanions, settingProblems } from './setting-rules.ts'

const somethingGiven = atLeastOne<SettingsInput>(...(Object.keys(settingInputs) as (keyof SettingsInput)[]))

/** One rule for each setting that another one requires, so that each is complained about by itself. */
const companionRules: readonly InputRule<SettingsInput>[] = [
  ...new Set(settingNames.flatMap((name) => settingDefinition(name).requires ?? [])),
].map((required) => (input) => missingCompanions(settingsChange(input)).find(({ fields }) => fields[0] === required))

/** Without the settings of the paid tier where it is not licensed: there they do not exist. */
const licensed = (ctx: Context, change: SettingsChange): SettingsChange =>
  ctx.tier === 'paid'
    ? change
    : Object.fromEntries(Object.entries(change).filter(([name]) => !settingDefinition(name as SettingName).paid))

const store = async (ctx: Context, name: SettingName, value: unknown): Promise<void> => {
  if (isSecret(name)) return storeSecret(ctx, name, value as string | null)
  const row = { value: JSON.stringify(value), updatedAt: ctx.now }
  await ctx.db
    .insertInto('applicationSetting')
    .values({ name, ...row })
    .onConflict((known) => known.column('name').doUpdateSet(row))
    .execute()
}

/** The settings after a change, the secret ones readable: those given are in clear already. */
const changed = async (ctx: Context, change: SettingsChange): Promise<Settings> => {
  const next = await withSecrets(ctx, await storedSettings.read(ctx))
  for (const [name, value] of Object.entries(change)) {
    Object.defineProperty(next, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return next
}

const told = async (ctx: Context): Promise<ApplicationSettings> =>
  toApplicationSettings(await settingsInForce(ctx), ctx.tier)

export const settings = {
  /** All settings of the platform, without the secret ones. */
  get: query({ on: instance, can: 'settings.manage', run: told }),

  /**
   * Changes settings; those that are not given stay as they are. Secret ones are stored encrypted, and null or an empty
   * text takes them away. What is switched on and requires other settings is refused without them in the same call.
   */
  update: command({
    on: instance,
    can: 'settings.manage',
    input: settingInputs,
    rules: [somethingGiven, ...companionRules] as never,
    async run(ctx, input): Promise<ApplicationSettings> {
      const change = licensed(ctx, settingsChange(input as SettingsInput))
      const names = Object.keys(change) as SettingName[]
      if (!names.length) throw invalidInput([somethingGiven({} as SettingsInput) as Problem])
      const problems = settingProblems(await changed(ctx, change), change)
      if (Object.keys(problems).length) throw invalid(problems)
      for (const name of names) await store(ctx, name, change[name as keyof SettingsChange])
      ctx.forget(storedSettings)
      return told(ctx)
    },
  }),
}
