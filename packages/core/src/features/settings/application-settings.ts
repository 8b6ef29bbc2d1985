import {
  aliasValues,
  isSecret,
  type PaidSettingName,
  type SecretSettingName,
  type SettingAlias,
  type Settings,
  settingAliases,
  settingDefinition,
  settingNames,
} from './definition.ts'

type Plain = Exclude<keyof Settings, SecretSettingName | PaidSettingName>
type PlainPaid = Exclude<PaidSettingName, SecretSettingName>

/**
 * The settings as administrators are told them: without the secret ones, with the old names of some. Those of the paid
 * tier are absent on a platform that runs as `free`.
 */
export type ApplicationSettings = { readonly [N in Plain]: Settings[N] } & {
  readonly [N in PlainPaid]?: Settings[N]
} & { readonly [A in SettingAlias]: Settings[(typeof settingAliases)[A]] }

/** What an answer may hold, in the order in which it is told. */
export const toldSettings: readonly (keyof ApplicationSettings)[] = [
  ...settingNames.filter((name): name is Plain | PlainPaid => !isSecret(name)),
  ...(Object.keys(settingAliases) as SettingAlias[]),
]

/** The settings as administrators of a platform of this tier are told them. */
export const toApplicationSettings = (values: Settings, tier: 'paid' | 'free'): ApplicationSettings => {
  const told = settingNames.filter((name) => !isSecret(name) && (tier === 'paid' || !settingDefinition(name).paid))
  return { ...Object.fromEntries(told.map((name) => [name, values[name]])), ...aliasValues(values) } as never
}
