import type { GenericSchema } from 'valibot'
import { UsageError } from './cli-error.ts'
import type { Invocation } from './invocation.ts'
import { printJson } from './table.ts'

type Json = Readonly<Record<string, unknown>>

const schemaUri = 'http://json-schema.org/draft-07/schema#'

/** Settings by name are records in the schema of seeds; the operations validate them. */
const createSettingsSchemas = async () => {
  const { features, settingAliases, settingDefinition } = await import('@forgelet/core/operations')
  const { createOutputSchema } = await import('../openapi/json-schema.ts')
  const { strictObject } = await import('valibot')
  const application = createOutputSchema(strictObject(features.settings.update.entries)) as Json
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
    groups: createOutputSchema(features.groups.create.entries.settings as GenericSchema),
    projects: createOutputSchema(features.projects.create.entries.settings as GenericSchema),
  }
}

/** Replaces the settings in the schema of an object. */
const withSettings = (schema: Json, settings: Json): Json => ({
  ...schema,
  properties: { ...(schema.properties as Json), settings },
})

/** The JSON Schema of seed data, with a description of each property. */
export const createSeedSchema = async (): Promise<Json> => {
  const { toJsonSchema } = await import('@valibot/to-json-schema')
  const { SeedSchema } = await import('@forgelet/core/seed')
  const { describeProperties, getSeedText } = await import('../openapi/descriptions.ts')
  // The checks of values that JSON Schema cannot express are left to `forgelet seed --check`.
  const { $schema: _, ...converted } = toJsonSchema(SeedSchema, { typeMode: 'input', errorMode: 'ignore' }) as Json
  const settings = await createSettingsSchemas()
  const properties = converted.properties as Readonly<Record<string, Json>>
  const sections = (['groups', 'projects'] as const).map((name) => {
    const { items, ...list } = properties[name] as Json
    return [name, { ...list, items: withSettings(items as Json, settings[name]) }] as const
  })
  const schema = withSettings(
    { ...converted, properties: { ...properties, ...Object.fromEntries(sections) } },
    settings[''],
  )
  return { $schema: schemaUri, title: 'Seed data of Forgelet', ...describeProperties(schema, getSeedText) }
}

/** The JSON Schema of the configuration file. */
export const createConfigSchema = async (): Promise<Json> => {
  const { configOptions } = await import('./config-file.ts')
  const properties = Object.entries(configOptions).map(([name, option]) => [
    name,
    {
      ...option.schema,
      description: option.description,
      ...(option.negate ? { default: true } : option.defaultValue !== undefined && { default: option.defaultValue }),
    },
  ])
  return {
    $schema: schemaUri,
    title: 'Configuration of the forgelet command',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
    additionalProperties: false,
  }
}

const schemas: Readonly<Record<string, () => Promise<Json>>> = { seed: createSeedSchema, config: createConfigSchema }

/** Prints a JSON Schema. */
export const schemaCommand = async ({ args: [name = ''] }: Invocation<Record<never, never>>): Promise<void> => {
  const create = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  if (!create) throw new UsageError(`There is no schema '${name}': use ${Object.keys(schemas).join(' or ')}`)
  printJson(await create())
}
