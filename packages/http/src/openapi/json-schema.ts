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

const maxInt32 = 2 ** 31 - 1

const largestValue = ({ enum: values, maximum }: Json): number =>
  Array.isArray(values) ? Math.max(...values) : typeof maximum === 'number' ? maximum : Number.MAX_SAFE_INTEGER

/** Adds the format of integers: generators for typed languages use 32 bits for an integer without one. */
const addIntegerFormats = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(addIntegerFormats)
  if (schema === null || typeof schema !== 'object') return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, addIntegerFormats(value)]))
  return inner.type === 'integer' ? { ...inner, format: largestValue(inner) > maxInt32 ? 'int64' : 'int32' } : inner
}

/** The JSON Schema of a response field; its properties have wire names already, unlike those of an input. */
export const createOutputSchema = (schema: GenericSchema): Json => {
  const { $schema: _, ...json } = toJsonSchema(schema, conversionConfig) as Json
  return addIntegerFormats(json) as Json
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
