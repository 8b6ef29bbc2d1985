import { defined, features, settingAliases, settingDefinition } from '@forgelet/core/operations'
import { SeedSchema } from '@forgelet/core/seed'
import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { describeProperties, getSeedText } from '../openapi/descriptions.ts'
import { createOutputSchema } from '../openapi/json-schema.ts'
import { type Json, schemaUri } from './schema-uri.ts'

/** Settings by name are records in the schema of seeds; the operations validate them. */
const createSettingsSchemas = () => {
  const application = createOutputSchema(v.strictObject(features.settings.update.entries))
  const describe = (name: string, schema: Json): Json => {
    const current = Object.hasOwn(settingAliases, name) ? settingAliases[name as keyof typeof settingAliases] : name
    const { description } = settingDefinition(current as Parameters<typeof settingDefinition>[0])
    return { description: current === name ? description : `The same as \`${current}\`. ${description}`, ...schema }
  }
  const properties = Object.entries(application.properties as Readonly<Record<string, Json>>)
  return {
    '': {
      ...application,
      properties: Object.fromEntries(properties.map(([name, schema]) => [name, describe(name, schema)])),
    },
    groups: createOutputSchema(defined(features.groups.create.entries.settings)),
    projects: createOutputSchema(defined(features.projects.create.entries.settings)),
  }
}

/** Replaces the settings in the schema of an object. */
const withSettings = (schema: Json, settings: Json): Json => ({
  ...schema,
  properties: { ...(schema.properties as Json), settings },
})

/** The JSON Schema of seed data, with a description of each property. */
export const createSeedSchema = (): Json => {
  // The checks of values that JSON Schema cannot express are left to `forgelet seed --check`.
  const { $schema: _, ...converted } = toJsonSchema(SeedSchema, { typeMode: 'input', errorMode: 'ignore' }) as Json
  const settings = createSettingsSchemas()
  const properties = converted.properties as Readonly<Record<string, Json>>
  const sections = (['groups', 'projects'] as const).map((name) => {
    const { items, ...list } = defined(properties[name])
    return [name, { ...list, items: withSettings(items as Json, settings[name]) }] as const
  })
  const schema = withSettings(
    { ...converted, properties: { ...properties, ...Object.fromEntries(sections) } },
    settings[''],
  )
  return { $schema: schemaUri, title: 'Seed data of Forgelet', ...describeProperties(schema, getSeedText) }
}
