import * as v from 'valibot'
import { accessSettings } from './definition-access.ts'
import { authorizationSettings } from './definition-authorization.ts'
import { paidSettings } from './definition-paid.ts'
import { projectSettings } from './definition-projects.ts'
import { serviceSettings } from './definition-services.ts'
import { siteSettings } from './definition-site.ts'
import { ownId, ownInstant, type Setting } from './setting.ts'

const readOnly = { readOnly: true } as const
const never = '1970-01-01T00:00:00.000Z'

/** What the record of the settings tells about itself. The platform fills these in. */
const recordFields = {
  id: ownId(1, 'Id of the record that holds the settings.', readOnly),
  createdAt: ownInstant(never, 'When the platform was set up.', readOnly),
  updatedAt: ownInstant(never, 'When a setting was last changed.', readOnly),
}

/** Settings that can be set. */
const writableSettings = {
  ...accessSettings,
  ...authorizationSettings,
  ...projectSettings,
  ...serviceSettings,
  ...siteSettings,
  ...paidSettings,
}

/** Every application setting by its name: schema, default and what else is known about it. */
export const settingDefinitions = { ...recordFields, ...writableSettings }

type Definitions = typeof settingDefinitions
export type SettingName = keyof Definitions
export type WritableSettingName = keyof typeof writableSettings

/** Settings that are stored encrypted and never returned. */
export type SecretSettingName = {
  [N in SettingName]: Definitions[N] extends { readonly secret: true } ? N : never
}[SettingName]

/** Settings of the paid tier. */
export type PaidSettingName = keyof typeof paidSettings

/** All settings with their values. `nil` is only a spelling of null in requests. */
export type Settings = { readonly [N in SettingName]: Exclude<v.InferOutput<Definitions[N]['schema']>, 'nil'> }

/** Settings that a request sets; what is left out stays as it is. */
export type SettingsChange = { readonly [N in WritableSettingName]?: Settings[N] | undefined }

/** Names of all settings, in the order of their definition. */
export const settingNames = Object.keys(settingDefinitions) as readonly SettingName[]

/** The definition as the general type, where the exact schema does not matter. */
export const settingDefinition = (name: SettingName): Setting => settingDefinitions[name]

/** Whether a setting is one that is stored encrypted and never returned. */
export const isSecret = (name: SettingName): name is SecretSettingName => settingDefinition(name).secret === true

/** Old names of settings. Answers repeat them, requests may use them; the present name wins where both are given. */
export const settingAliases = {
  passwordAuthenticationEnabled: 'passwordAuthenticationEnabledForWeb',
  signinEnabled: 'passwordAuthenticationEnabledForWeb',
  allowLocalRequestsFromHooksAndServices: 'allowLocalRequestsFromWebHooksAndServices',
} as const satisfies Readonly<Record<string, WritableSettingName>>

export type SettingAlias = keyof typeof settingAliases

type Input<N extends WritableSettingName> = v.OptionalSchema<Definitions[N]['schema'], undefined>

/** The entries of a request that changes settings: all of them, and their old names, each optional. */
export type SettingInputs = { [N in WritableSettingName]: Input<N> } & {
  [A in SettingAlias]: Input<(typeof settingAliases)[A]>
}

/** A request that changes settings, old names and spellings included. */
export type SettingsInput = v.InferOutput<v.ObjectSchema<SettingInputs, undefined>>

const schemaOf = (name: WritableSettingName): v.GenericSchema => writableSettings[name].schema

export const settingInputs = Object.fromEntries([
  ...Object.entries(writableSettings).map(([name, { schema }]) => [name, v.optional<v.GenericSchema>(schema)]),
  ...Object.entries(settingAliases).map(([alias, name]) => [alias, v.optional(schemaOf(name))]),
]) as unknown as SettingInputs

/** The settings of a platform where nobody has set any; a fresh copy, so that nobody changes the defaults. */
export const defaultSettings = (): Settings =>
  structuredClone(Object.fromEntries(settingNames.map((name) => [name, settingDefinitions[name].default]))) as Settings

/**
 * A request in present names and values: old names become the present ones, `nil` becomes null,
 * what is not given is left out.
 */
export const settingsChange = (input: SettingsInput): SettingsChange => {
  const given: Readonly<Record<string, unknown>> = input
  const change: Record<string, unknown> = {}
  const take = (name: string, value: unknown) => {
    if (value !== undefined) change[name] = value === 'nil' && name === 'enabledGitAccessProtocol' ? null : value
  }
  for (const [alias, name] of Object.entries(settingAliases)) take(name, given[alias])
  for (const name of Object.keys(writableSettings)) take(name, given[name])
  return change
}

/** The values of the old names, for answers that repeat them. */
export const aliasValues = (
  settings: Settings,
): { readonly [A in SettingAlias]: Settings[(typeof settingAliases)[A]] } => ({
  passwordAuthenticationEnabled: settings.passwordAuthenticationEnabledForWeb,
  signinEnabled: settings.passwordAuthenticationEnabledForWeb,
  allowLocalRequestsFromHooksAndServices: settings.allowLocalRequestsFromWebHooksAndServices,
})
