import {
  type ApplicationSettings,
  features,
  settingAliases,
  settingDefinition,
  visibleSettingNames,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { one } from '../reply/responders.ts'
import { computed, type Wire, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'
import { toSnakeCase } from '../wire-names.ts'

const { settings } = features

const getSettingSchema = (name: (typeof visibleSettingNames)[number]): v.GenericSchema => {
  const { schema, paid, description } = settingDefinition(
    Object.hasOwn(settingAliases, name)
      ? settingAliases[name as keyof typeof settingAliases]
      : (name as Parameters<typeof settingDefinition>[0]),
  )
  const described = v.pipe(schema, v.description(description))
  return paid ? v.optional<v.GenericSchema>(described) : described
}

/** GitLab sends this number as a decimal string, `"1.0"`, and clients written in Go accept nothing else. */
const pollingIntervalMultiplier = computed<ApplicationSettings, v.GenericSchema>(
  v.pipe(v.string(), v.decimal()),
  ({ pollingIntervalMultiplier: factor }) => (Number.isInteger(factor) ? factor.toFixed(1) : String(factor)),
)

/**
 * Specification 2, "Application settings": all settings except secrets, three of them also under their former names.
 */
const ApplicationSettingsWire = wire<ApplicationSettings>('ApplicationSettings')(
  Object.fromEntries(
    visibleSettingNames.map((name) => [
      toSnakeCase(name),
      name === 'pollingIntervalMultiplier' ? pollingIntervalMultiplier : getSettingSchema(name),
    ]),
  ) as never,
) as unknown as Wire<ApplicationSettings, Record<string, v.GenericSchema>>

export const settingRoutes = [
  route('GET /application/settings', settings.get, one(ApplicationSettingsWire)),
  route('PUT /application/settings', settings.update, one(ApplicationSettingsWire)),
]
