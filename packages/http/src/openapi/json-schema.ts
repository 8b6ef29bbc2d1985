import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { toSnakeCase } from '../wire-names.ts'

export type Json = Readonly<Record<string, unknown>>

interface Picklist {
  readonly type: string
  readonly options?: readonly unknown[]
}

/** Checks that JSON Schema cannot express are omitted. */
const conversionConfig: ConversionConfig = {
  typeMode: 'input',
  errorMode: 'ignore',
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    const { type, options } = valibotSchema as Picklist
    return type === 'picklist' && options?.every(Number.isInteger) ? { ...jsonSchema, type: 'integer' } : undefined
  },
}

/** The JSON Schema of a response field; its properties have wire names already, unlike those of an input. */
export const createOutputSchema = (schema: GenericSchema): Json => {
  const { $schema: _, ...json } = toJsonSchema(schema, conversionConfig) as Json
  return json
}

const toWireProperties = (properties: Json): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [toSnakeCase(name), toWireNames(schema)]))

const toWireNames = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(toWireNames)
  if (schema === null || typeof schema !== 'object') return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties') return [key, toWireProperties(value as Json)]
      if (key === 'required') return [key, (value as string[]).map(toSnakeCase)]
      return [key, toWireNames(value)]
    }),
  )
}

/** The JSON Schema of an input field, with properties in snake case. */
export const createInputSchema = (schema: GenericSchema): Json => toWireNames(createOutputSchema(schema)) as Json

export const isOptional = (schema: GenericSchema): boolean =>
  ['optional', 'nullish', 'exact_optional'].includes(schema.type)
