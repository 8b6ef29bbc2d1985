import { keysOf } from '../../../shared/keys-of.ts'
import {
  isSecretSetting,
  type PaidSettingName,
  type SecretSettingName,
  type SettingAlias,
  type Settings,
  settingAliases,
  settingDefinition,
  settingNames,
  toAliasValues,
} from './definition.ts'

type PlainSettingName = Exclude<keyof Settings, SecretSettingName | PaidSettingName>
type PlainPaidSettingName = Exclude<PaidSettingName, SecretSettingName>

/**
 * The settings as returned to administrators: without secret settings, with the aliases. Settings of the paid tier are
 * omitted on a platform of the `free` tier.
 */
export type ApplicationSettings = { readonly [N in PlainSettingName]: Settings[N] } & {
  readonly [N in PlainPaidSettingName]?: Settings[N]
} & { readonly [A in SettingAlias]: Settings[(typeof settingAliases)[A]] }

/** All fields that a response can have, in their order. */
export const visibleSettingNames: readonly (keyof ApplicationSettings)[] = [
  ...settingNames.filter((name): name is PlainSettingName | PlainPaidSettingName => !isSecretSetting(name)),
  ...keysOf(settingAliases),
]

export const toApplicationSettings = (values: Settings, tier: 'paid' | 'free'): ApplicationSettings => {
  const names = settingNames.filter(
    (name) => !isSecretSetting(name) && (tier === 'paid' || !settingDefinition(name).paid),
  )
  return { ...Object.fromEntries(names.map((name) => [name, values[name]])), ...toAliasValues(values) } as never
}
