import { defined, parseInstant } from '@forgelet/core/operations'
import { type GenericSchema, is } from 'valibot'
import { toSnakeCase } from '../wire-names.ts'
import { createParameters, type Parameters, RepeatedValue } from './parameters.ts'

/** Converts a value as sent to the type of a schema. Values that do not fit are returned unchanged; the schema rejects them. */
export type Converter = (value: unknown) => unknown

/** The properties of valibot schemas that determine what they accept. */
interface Schema {
  readonly type: string
  readonly wrapped?: Schema
  /** The schema, followed by its checks. */
  readonly pipe?: readonly { readonly type: string; readonly metadata?: { readonly format?: string } }[]
  readonly options?: readonly (Schema | string | number)[]
  readonly item?: Schema
  readonly value?: Schema
  readonly entries?: Readonly<Record<string, Schema>>
}

const booleanWords: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  '1': true,
  on: true,
  yes: true,
  y: true,
  false: false,
  f: false,
  '0': false,
  off: false,
  no: false,
  n: false,
}

const takeLast: Converter = (value) => (value instanceof RepeatedValue ? value.values.at(-1) : value)

const toNumber: Converter = (value) =>
  typeof value === 'string' && /^-?[0-9]{1,15}(\.[0-9]{1,15})?$/.test(value) ? Number(value) : value

export const toBoolean: Converter = (value) => {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  const word = String(value).toLowerCase()
  return Object.hasOwn(booleanWords, word) ? booleanWords[word] : value
}

const toText: Converter = (value) => (typeof value === 'number' ? String(value) : value)

const toReference: Converter = (value) =>
  typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value

/** Accepts `a[]=x`, repeated `a=x`, a JSON array, `a[0]=x`, and comma-separated text. */
const toItems = (value: unknown): unknown => {
  if (value instanceof RepeatedValue) return value.values
  if (typeof value === 'string') return value === '' ? [] : value.split(',').map((item) => item.trim())
  if (typeof value === 'number') return [value]
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const keys = Object.keys(value)
  return keys.length && keys.every((key) => /^[0-9]+$/.test(key)) ? Object.values(value) : value
}

/** Whether a value is an object with parameters of its own. */
export const isParameters = (value: unknown): value is Parameters =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof RepeatedValue)

const createObjectConverter = (entries: Readonly<Record<string, Schema>>): Converter => {
  const fields = Object.entries(entries).map(([name, schema]) => ({
    name,
    wire: toSnakeCase(name),
    convert: buildConverter(schema),
  }))
  return (value) => {
    if (!isParameters(value)) return value
    const converted = createParameters()
    for (const { name, wire, convert } of fields) if (Object.hasOwn(value, wire)) converted[name] = convert(value[wire])
    return { ...converted }
  }
}

const createRecordConverter = (valueSchema: Schema): Converter => {
  const convert = buildConverter(valueSchema)
  return (value) =>
    isParameters(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, convert(inner)])) : value
}

const createPicklistConverter = (options: readonly unknown[]): Converter =>
  options.every((option) => typeof option === 'number')
    ? (value) => toNumber(takeLast(value))
    : (value) => toText(takeLast(value))

const createUnionConverter = (options: readonly Schema[]): Converter => {
  const list = options.find(({ type }) => type === 'array')
  const scalars = options.filter(({ type }) => type !== 'array')
  if (list) {
    const convertList = buildConverter(list)
    return (value) =>
      Array.isArray(value) || value instanceof RepeatedValue || !scalars.length ? convertList(value) : value
  }
  const numeric = options.some(({ type }) => type === 'number')
  return (value) => (numeric ? toReference(takeLast(value)) : takeLast(value))
}

const isDate = ({ pipe = [] }: Schema) => pipe.some(({ type }) => type === 'iso_date')

const isInstant = ({ pipe = [] }: Schema) => pipe.some(({ metadata }) => metadata?.format === 'date-time')

/** Texts can be empty. Numbers, booleans, dates and times cannot: an empty value of these is none. */
const acceptsEmptyText = (schema: Schema): boolean => {
  if (schema.type === 'nullable' || schema.type === 'nullish') return acceptsEmptyText(defined(schema.wrapped))
  if (schema.type === 'string') return !isDate(schema) && !isInstant(schema)
  return schema.type !== 'number' && schema.type !== 'boolean'
}

/** The day of a date with a time, as it is written. */
const toDay: Converter = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(value) && !Number.isNaN(parseInstant(value))
    ? value.slice(0, 10)
    : value

/** Null is absence, unless the schema has a meaning for it. */
const createOptionalConverter = (schema: Schema): Converter => {
  const wrapped = defined(schema.wrapped)
  const convert = buildConverter(wrapped)
  const acceptsNull = is(wrapped as unknown as GenericSchema, null)
  const acceptsEmpty = acceptsNull || acceptsEmptyText(wrapped)
  return (value) => {
    const sent = takeLast(value)
    if (sent === null) return acceptsNull ? null : undefined
    return sent === '' && !acceptsEmpty ? undefined : convert(value)
  }
}

const buildConverter = (schema: Schema): Converter => {
  switch (schema.type) {
    case 'optional':
    case 'exact_optional':
      return createOptionalConverter(schema)
    case 'nullable':
    case 'nullish': {
      const wrapped = defined(schema.wrapped)
      const convert = buildConverter(wrapped)
      // An empty form value means null, unless the schema accepts empty text.
      return acceptsEmptyText(wrapped) ? convert : (value) => (takeLast(value) === '' ? null : convert(value))
    }
    case 'number':
      return (value) => toNumber(takeLast(value))
    case 'boolean':
      return (value) => toBoolean(takeLast(value))
    case 'string':
      return isDate(schema) ? (value) => toDay(takeLast(value)) : (value) => toText(takeLast(value))
    case 'picklist':
      return createPicklistConverter(defined(schema.options))
    case 'array': {
      const convert = buildConverter(defined(schema.item))
      return (value) => {
        const list = toItems(value)
        return Array.isArray(list) ? list.map(convert) : list
      }
    }
    case 'union':
      return createUnionConverter(schema.options as readonly Schema[])
    case 'strict_object':
    case 'object':
      return createObjectConverter(defined(schema.entries))
    case 'record':
      return createRecordConverter(defined(schema.value))
    default:
      return takeLast
  }
}

/** The converter of one input field. */
export const createConverter = (schema: GenericSchema): Converter => buildConverter(schema as unknown as Schema)
