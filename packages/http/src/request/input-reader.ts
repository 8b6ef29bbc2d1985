import { compileMapper, defined, type MappedField } from '@forgelet/core/operations'
import { array, type GenericSchema, getDefault, integer, is, number, optional, pipe, safeInteger } from 'valibot'
import { createPageQueryWriter, type PageQuery } from '../reply/paging-headers.ts'
import type { Route } from '../routing/route.ts'
import {
  findUnsupported,
  listUnsupportedParameters,
  type UnsupportedParameter,
} from '../routing/unsupported-parameters.ts'
import { toCamelCase, toSnakeCase } from '../wire-names.ts'
import { type Converter, createConverter } from './converters.ts'
import type { Parameters } from './parameters.ts'

export interface InputField {
  /** Name in paths, queries and bodies. */
  readonly wire: string
  /** Name in the operation's input. */
  readonly input: string
  /** The input that contains this one as a field, with `flatten` of the route. */
  readonly parent?: string
  readonly inPath: boolean
  readonly schema: GenericSchema
  readonly convert: Converter
}

/** Converts the parameters of a route to the input of its operation. */
export interface InputReader {
  readonly fields: readonly InputField[]
  read(path: Readonly<Record<string, string>>, sent: Parameters): Record<string, unknown>
  /** The query of links to other pages: every parameter with its effective value. */
  createPageQuery(input: Readonly<Record<string, unknown>>, perPage: number): PageQuery
  /** The sent position in a kind of pagination that this list does not have. Without it, the first page would be repeated. */
  findUnsupportedPaging(sent: Parameters): string | undefined
  /** Documented parameters without an effect on this route, for the OpenAPI document. */
  readonly unsupported: readonly UnsupportedParameter[]
  /** Those of them that a request contains. */
  findUnsupported(sent: Parameters): readonly UnsupportedParameter[]
  /** The name of a field in errors: `newName` → `new_name`; `levels[0][userId]` → `levels[0][user_id]`. */
  toWireName(field: string): string
}

export const listPathParameters = (path: string) =>
  path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))

const idSchema = pipe(number(), integer())
const optionalIdSchema = optional(pipe(number(), safeInteger()))

/** Converts other values to NaN, which every schema rejects; a string would be looked up as a name. */
const createIdConverter = (schema: GenericSchema): Converter => {
  const convert = createConverter(schema)
  return (value) => {
    const id = convert(value)
    return typeof id === 'number' || id === undefined ? id : Number.NaN
  }
}

/** The schema and the converter of a parameter that accepts only ids, one or a list. */
const narrowToIds = (schema: GenericSchema, inPath: boolean): Pick<InputField, 'schema' | 'convert'> => {
  if (schema.type !== 'array') {
    const ids = schema.type === 'optional' && !inPath ? optionalIdSchema : idSchema
    return { schema: ids, convert: createIdConverter(ids) }
  }
  const limits = 'pipe' in schema && Array.isArray(schema.pipe) ? schema.pipe.slice(1) : []
  const ids = pipe(array(pipe(number(), safeInteger())), ...limits)
  const toList = createConverter(array(number()))
  const convertId = createIdConverter(idSchema)
  return {
    schema: ids,
    convert(value) {
      const list = toList(value)
      return Array.isArray(list) ? list.map(convertId) : list
    },
  }
}

/** The schema and the converter of a parameter, which can accept less than the operation. */
const readField = ({ numericOnly, accepts }: Route, wire: string, schema: GenericSchema, isInPath: boolean) => {
  if (numericOnly.includes(wire)) return narrowToIds(schema, isInPath)
  const accepted = accepts[wire]
  if (accepted === undefined) return { schema, convert: createConverter(schema) }
  const convert = createConverter(accepted)
  const convertAccepted: Converter = (value) => {
    const converted = convert(value)
    return is(accepted, converted) ? converted : Number.NaN
  }
  return { schema: accepted, convert: convertAccepted }
}

type NamedInput = Pick<InputField, 'input' | 'schema' | 'parent'>

/** The fields of an optional object. */
const listFields = (parent: string, schema: GenericSchema): NamedInput[] => {
  const { wrapped } = schema as unknown as { wrapped: { entries: Readonly<Record<string, GenericSchema>> } }
  return Object.entries(wrapped.entries).map(([input, field]) => ({ input, schema: field, parent }))
}

/** Reads an object from its fields, which are separate parameters; undefined if none was sent. */
const readFlattened = (fields: readonly InputField[], sent: Parameters) => {
  const values = fields
    .filter(({ wire }) => Object.hasOwn(sent, wire))
    .map(({ wire, input, convert }) => [input, convert(sent[wire])] as const)
  return values.length ? Object.fromEntries(values) : undefined
}

const buildFields = (route: Route): InputField[] => {
  const { entries } = route.operation
  const renamed = new Map(Object.entries(route.names).map(([wire, input]) => [input, wire]))
  const inPath = new Set(listPathParameters(route.path))
  for (const wire of inPath) {
    const input = route.names[wire] ?? toCamelCase(wire)
    if (!Object.hasOwn(entries, input)) throw new Error(`${route.method} ${route.path}: no input for :${wire}`)
  }
  const inputs = Object.entries(entries).flatMap(([input, schema]): NamedInput[] =>
    input === route.flatten ? listFields(input, schema as GenericSchema) : [{ input, schema: schema as GenericSchema }],
  )
  return inputs
    .filter(({ input }) => !route.hidden.includes(input))
    .map(({ input, schema, parent }) => {
      const wire = renamed.get(input) ?? toSnakeCase(input)
      return {
        wire,
        input,
        ...(parent !== undefined && { parent }),
        inPath: inPath.has(wire),
        ...readField(route, wire, schema, inPath.has(wire)),
      }
    })
}

const findSentPaging = (names: readonly string[], sent: Parameters) =>
  names.find((name) => {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined
    return value !== undefined && value !== ''
  })

/** Lists without keyset pagination have pages by number, which clients find in the links. */
const missingKeyset: UnsupportedParameter = { name: 'pagination', isRejected: false, neutral: 'offset' }

type PathParameters = Readonly<Record<string, string>>
type InputMapping = MappedField<PathParameters, Parameters>

const mapFixedInput = ([key, value]: [string, unknown]): InputMapping => ({ key, from: key, read: () => value })

/** Query and body cannot override path parameters. A parameter that was not sent is undefined. */
const mapField = ({ wire, input, inPath, convert }: InputField): InputMapping => ({
  key: input,
  from: wire,
  read: inPath
    ? (path) => convert(path[wire])
    : (_, sent) => (Object.hasOwn(sent, wire) ? convert(sent[wire]) : undefined),
})

const mapFlattened = (key: string, fields: readonly InputField[]): InputMapping => ({
  key,
  from: key,
  read: (_, sent) => readFlattened(fields, sent),
})

const none: readonly UnsupportedParameter[] = []

const inputReaders = new Map<Route, InputReader>()

/** The input reader of a route, created on first use. */
export const getInputReader = (route: Route): InputReader => {
  const reader = inputReaders.get(route) ?? createInputReader(route)
  inputReaders.set(route, reader)
  return reader
}

export function createInputReader(route: Route): InputReader {
  const fields = buildFields(route)
  const flattened = fields.filter(({ parent }) => parent !== undefined)
  const parameters = fields.map(({ wire, input, schema }) => ({ wire, input, fallback: getDefault(schema as never) }))
  const wires = new Map(fields.map(({ input, wire }) => [input, route.errorNames[wire] ?? wire]))
  const unsupported = listUnsupportedParameters(
    route,
    fields.map(({ wire }) => wire),
  )
  const isMissing = (name: string) => !fields.some(({ wire }) => wire === name)
  const missingPaging = route.respond.paged ? ['cursor', 'page_token'].filter(isMissing) : []
  const searched = route.respond.paged && isMissing('pagination') ? [...unsupported, missingKeyset] : unsupported
  return {
    fields,
    unsupported,
    findUnsupported: (sent) => (searched.length ? findUnsupported(searched, sent) : none),
    findUnsupportedPaging: (sent) => (missingPaging.length ? findSentPaging(missingPaging, sent) : undefined),
    read: compileMapper([
      ...Object.entries(route.fixedInput).map(mapFixedInput),
      ...fields.filter(({ parent }) => parent === undefined).map(mapField),
      ...(flattened.length ? [mapFlattened(defined(route.flatten), flattened)] : []),
    ]),
    createPageQuery: createPageQueryWriter(parameters),
    toWireName(fullName) {
      const prefix = `${route.flatten}[`
      const field = fullName.startsWith(prefix) ? fullName.slice(prefix.length).replace(']', '') : fullName
      const open = field.indexOf('[')
      const head = open < 0 ? field : field.slice(0, open)
      return (wires.get(head) ?? toSnakeCase(head)) + toSnakeCase(open < 0 ? '' : field.slice(open))
    },
  }
}
