import { UsageError } from './cli-error.ts'
import type { Invocation } from './invocation.ts'
import { type Json, schemaUri } from './schema-uri.ts'
import { printJson } from './table.ts'

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

const schemas: Readonly<Record<string, () => Promise<Json>>> = {
  seed: async () => (await import('./seed-schema.ts')).createSeedSchema(),
  config: createConfigSchema,
}

/** Prints a JSON Schema. */
export const schemaCommand = async ({ args: [name = ''] }: Invocation<Record<never, never>>): Promise<void> => {
  const create = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  if (!create) throw new UsageError(`There is no schema '${name}': use ${Object.keys(schemas).join(' or ')}`)
  printJson(await create())
}
