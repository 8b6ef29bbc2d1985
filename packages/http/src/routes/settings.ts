import {
  type ApplicationSettings,
  features,
  settingAliases,
  settingDefinition,
  toldSettings,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { one } from '../send.ts'
import { snake, type Wire, wire } from '../wire.ts'

const { settings } = features

const schemaOf = (name: (typeof toldSettings)[number]): v.GenericSchema => {
  const { schema, paid } = settingDefinition(
    Object.hasOwn(settingAliases, name)
      ? settingAliases[name as keyof typeof settingAliases]
      : (name as Parameters<typeof settingDefinition>[0]),
  )
  return paid ? v.optional<v.GenericSchema>(schema) : schema
}

/**
 * Specification 2, "Application settings": every setting but the secret ones, under its own name, and three of them under
 * their old names as well.
 */
const ApplicationSettingsWire = wire<ApplicationSettings>()(
  Object.fromEntries(toldSettings.map((name) => [snake(name), schemaOf(name)])) as never,
) as unknown as Wire<ApplicationSettings, Record<string, v.GenericSchema>>

export const settingRoutes = [
  route('GET /application/settings', settings.get, one(ApplicationSettingsWire)),
  route('PUT /application/settings', settings.update, one(ApplicationSettingsWire)),
]
