import { UsageError } from './cli-error.ts'
import type { Invocation } from './invocation.ts'
import { printJson } from './table.ts'

type Json = Readonly<Record<string, unknown>>

const schemaUri = 'http://json-schema.org/draft-07/schema#'

/** The JSON Schema of seed data. */
export const createSeedSchema = async (): Promise<Json> => {
  const { toJsonSchema } = await import('@valibot/to-json-schema')
  const { SeedSchema } = await import('@forgelet/core/seed')
  // The checks of values that JSON Schema cannot express are left to `forgelet seed --check`.
  const { $schema: _, ...schema } = toJsonSchema(SeedSchema, { typeMode: 'input', errorMode: 'ignore' }) as Json
  return { $schema: schemaUri, title: 'Seed data of Forgelet', ...schema }
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
