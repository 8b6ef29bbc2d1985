import type { GenericSchema } from 'valibot'
import { noParameters, type Parameters, Repeated } from './parameters.ts'
import { snake } from './wire.ts'

/** Brings a sent value into the type that a schema asks for. What does not fit is left as it is, for the schema to refuse. */
export type Convert = (value: unknown) => unknown

/** The parts of valibot's schemas that say what they accept. */
interface Schema {
  readonly type: string
  readonly wrapped?: Schema
  /** A schema's checks, each with its type, behind the schema itself. */
  readonly pipe?: readonly { readonly type: string }[]
  readonly options?: readonly (Schema | string | number)[]
  readonly item?: Schema
  readonly value?: Schema
  readonly entries?: Readonly<Record<string, Schema>>
}

const truths: Readonly<Record<string, boolean>> = {
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

const last: Convert = (value) => (value instanceof Repeated ? value.values.at(-1) : value)

const number: Convert = (value) =>
  typeof value === 'string' && /^-?[0-9]{1,15}(\.[0-9]{1,15})?$/.test(value) ? Number(value) : value

const boolean: Convert = (value) => {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  const word = String(value).toLowerCase()
  return Object.hasOwn(truths, word) ? truths[word] : value
}

const string: Convert = (value) => (typeof value === 'number' ? String(value) : value)

const reference: Convert = (value) => (typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value)

/** `a[]=x`, repeated `a=x`, a JSON array, `a[0]=x`, or one text with commas. */
const items = (value: unknown): unknown => {
  if (value instanceof Repeated) return value.values
  if (typeof value === 'string') return value === '' ? [] : value.split(',').map((item) => item.trim())
  if (typeof value === 'number') return [value]
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const keys = Object.keys(value)
  return keys.length && keys.every((key) => /^[0-9]+$/.test(key)) ? Object.values(value) : value
}

const isHash = (value: unknown): value is Parameters =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Repeated)

const hash = (entries: Readonly<Record<string, Schema>>): Convert => {
  const fields = Object.entries(entries).map(([name, schema]) => ({
    name,
    wire: snake(name),
    convert: converterOf(schema),
  }))
  return (value) => {
    if (!isHash(value)) return value
    const read = noParameters()
    for (const { name, wire, convert } of fields) if (Object.hasOwn(value, wire)) read[name] = convert(value[wire])
    return { ...read }
  }
}

const record = (of: Schema): Convert => {
  const convert = converterOf(of)
  return (value) =>
    isHash(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, convert(inner)])) : value
}

const choice = (options: readonly unknown[]): Convert =>
  options.every((option) => typeof option === 'number')
    ? (value) => number(last(value))
    : (value) => string(last(value))

const union = (options: readonly Schema[]): Convert => {
  const list = options.find(({ type }) => type === 'array')
  const scalars = options.filter(({ type }) => type !== 'array')
  if (list) {
    const asList = converterOf(list)
    return (value) => (Array.isArray(value) || value instanceof Repeated || !scalars.length ? asList(value) : value)
  }
  const numeric = options.some(({ type }) => type === 'number')
  return (value) => (numeric ? reference(last(value)) : last(value))
}

/** A string that may be empty: a date may not, and so leaves the empty form value to mean null. */
const isText = ({ type, pipe = [] }: Schema) => type === 'string' && !pipe.some((action) => action.type === 'iso_date')

const converterOf = (schema: Schema): Convert => {
  switch (schema.type) {
    case 'optional':
    case 'exact_optional':
      return converterOf(schema.wrapped as Schema)
    case 'nullable':
    case 'nullish': {
      const wrapped = schema.wrapped as Schema
      const convert = converterOf(wrapped)
      // An empty form value means null, except where it is a text of its own.
      return isText(wrapped) ? convert : (value) => (last(value) === '' ? null : convert(value))
    }
    case 'number':
      return (value) => number(last(value))
    case 'boolean':
      return (value) => boolean(last(value))
    case 'string':
      return (value) => string(last(value))
    case 'picklist':
      return choice(schema.options as readonly unknown[])
    case 'array': {
      const convert = converterOf(schema.item as Schema)
      return (value) => {
        const list = items(value)
        return Array.isArray(list) ? list.map(convert) : list
      }
    }
    case 'union':
      return union(schema.options as readonly Schema[])
    case 'strict_object':
    case 'object':
      return hash(schema.entries as Readonly<Record<string, Schema>>)
    case 'record':
      return record(schema.value as Schema)
    default:
      return last
  }
}

/** The conversion for one input field. */
export const converter = (schema: GenericSchema): Convert => converterOf(schema as unknown as Schema)
