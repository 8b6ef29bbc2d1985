import * as v from 'valibot'
import { keysOf } from '../../../shared/keys-of.ts'
import { accessSettings, authorizationSettings } from './definition-access.ts'
import { accountSettings } from './definition-accounts.ts'
import { paidSettings } from './definition-paid.ts'
import { projectDefaultSettings } from './definition-projects.ts'
import { serviceSettings } from './definition-services.ts'
import { siteSettings } from './definition-site.ts'
import { platformId, platformInstant, type Setting } from './setting.ts'

const readOnly = { readOnly: true, noEffect: 'A property of the record, which the platform sets.' } as const
const unsetInstant = '1970-01-01T00:00:00.000Z'

/** Fields of the settings record itself, set by the platform. */
const recordFields = {
  id: platformId(1, 'Id of the record that holds the settings.', readOnly),
  createdAt: platformInstant(unsetInstant, 'When the platform was created.', readOnly),
  updatedAt: platformInstant(unsetInstant, 'When a setting was last changed.', readOnly),
}

const writableSettings = {
  ...accountSettings,
  ...accessSettings,
  ...authorizationSettings,
  ...projectDefaultSettings,
  ...serviceSettings,
  ...siteSettings,
  ...paidSettings,
}

/** The definition of every application setting by name. */
export const settingDefinitions = { ...recordFields, ...writableSettings }

type Definitions = typeof settingDefinitions
export type SettingName = keyof Definitions
export type WritableSettingName = keyof typeof writableSettings

/** Settings that are stored encrypted and never returned. */
export type SecretSettingName = {
  [N in SettingName]: Definitions[N] extends { readonly secret: true } ? N : never
}[SettingName]

export type PaidSettingName = keyof typeof paidSettings

/** The values of all settings. `nil` exists in requests only, where it means null. */
export type Settings = { readonly [N in SettingName]: Exclude<v.InferOutput<Definitions[N]['schema']>, 'nil'> }

/** New values of some settings; the others stay unchanged. */
export type SettingsChange = { readonly [N in WritableSettingName]?: Settings[N] | undefined }

/** In the order of the definitions. */
export const settingNames = keysOf(settingDefinitions)

/** The definition as the general type, without the exact schema. */
export const settingDefinition = (name: SettingName): Setting => settingDefinitions[name]

export const isSecretSetting = (name: SettingName): name is SecretSettingName => settingDefinition(name).secret === true

/** Old names of settings, in responses and requests. When a request has both names, the current one wins. */
export const settingAliases = {
  passwordAuthenticationEnabled: 'passwordAuthenticationEnabledForWeb',
  signinEnabled: 'passwordAuthenticationEnabledForWeb',
  allowLocalRequestsFromHooksAndServices: 'allowLocalRequestsFromWebHooksAndServices',
} as const satisfies Readonly<Record<string, WritableSettingName>>

export type SettingAlias = keyof typeof settingAliases

type Input<N extends WritableSettingName> = v.OptionalSchema<Definitions[N]['schema'], undefined>

/** The input schema of a change: all writable settings and aliases, each optional. */
export type SettingInputs = { [N in WritableSettingName]: Input<N> } & {
  [A in SettingAlias]: Input<(typeof settingAliases)[A]>
}

/** The parsed input of a change, aliases and `nil` included. */
export type SettingsInput = v.InferOutput<v.ObjectSchema<SettingInputs, undefined>>

const schemaOf = (name: WritableSettingName): v.GenericSchema => writableSettings[name].schema

export const settingInputs = Object.fromEntries([
  ...Object.entries(writableSettings).map(([name, { schema }]) => [name, v.optional<v.GenericSchema>(schema)]),
  ...Object.entries(settingAliases).map(([alias, name]) => [alias, v.optional(schemaOf(name))]),
]) as unknown as SettingInputs

/** A new copy of the default settings. */
export const defaultSettings = (): Settings =>
  structuredClone(Object.fromEntries(settingNames.map((name) => [name, settingDefinitions[name].default]))) as Settings

/** Replaces aliases with the current names and `nil` with null, and omits undefined values. */
export const toSettingsChange = (input: SettingsInput): SettingsChange => {
  const values: Readonly<Record<string, unknown>> = input
  const change: Record<string, unknown> = {}
  const assign = (name: string, value: unknown) => {
    if (value !== undefined) change[name] = value === 'nil' && name === 'enabledGitAccessProtocol' ? null : value
  }
  for (const [alias, name] of Object.entries(settingAliases)) assign(name, values[alias])
  for (const name of Object.keys(writableSettings)) assign(name, values[name])
  return change
}

export const toAliasValues = (
  settings: Settings,
): { readonly [A in SettingAlias]: Settings[(typeof settingAliases)[A]] } => ({
  passwordAuthenticationEnabled: settings.passwordAuthenticationEnabledForWeb,
  signinEnabled: settings.passwordAuthenticationEnabledForWeb,
  allowLocalRequestsFromHooksAndServices: settings.allowLocalRequestsFromWebHooksAndServices,
})
