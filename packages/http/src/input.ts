import { type Picked, picker } from '@forgelet/core/operations'
import { type GenericSchema, getDefault, integer, number, pipe } from 'valibot'
import { type Convert, converter } from './decode.ts'
import { type PageQuery, pageQueries } from './paging-headers.ts'
import type { Parameters } from './parameters.ts'
import type { Route } from './route.ts'
import { camel, snake } from './wire.ts'

export interface Field {
  /** Name in paths, queries and bodies. */
  readonly wire: string
  /** Name in the operation's input. */
  readonly input: string
  readonly inPath: boolean
  readonly schema: GenericSchema
  readonly convert: Convert
}

/** How one route's parameters become its operation's input, worked out once when the table is read. */
export interface InputReader {
  readonly fields: readonly Field[]
  read(path: Readonly<Record<string, string>>, sent: Parameters): Record<string, unknown>
  /** What a link to another page repeats: every parameter with its effective value. */
  pageQuery(input: Readonly<Record<string, unknown>>, perPage: number): PageQuery
  /** What refusals call a field: `newName` → `new_name`; `levels[0][userId]` → `levels[0][user_id]`. */
  wireName(field: string): string
}

const pathNames = (path: string) =>
  path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))

const idSchema = pipe(number(), integer())
const asNumber = converter(idSchema)

/** What is no number becomes one that every schema refuses, so that it is not taken for a name. */
const idOnly: Convert = (value) => {
  const id = asNumber(value)
  return typeof id === 'number' ? id : Number.NaN
}

const fieldsOf = (route: Route): Field[] => {
  const { entries } = route.operation
  const renamed = new Map(Object.entries(route.names).map(([wire, input]) => [input, wire]))
  const inPath = new Set(pathNames(route.path))
  for (const wire of inPath) {
    const input = route.names[wire] ?? camel(wire)
    if (!Object.hasOwn(entries, input)) throw new Error(`${route.method} ${route.path}: no input for :${wire}`)
  }
  return Object.entries(entries)
    .filter(([input]) => !route.omit.includes(input))
    .map(([input, schema]) => {
      const wire = renamed.get(input) ?? snake(input)
      const idsOnly = route.ids.includes(wire)
      return {
        wire,
        input,
        inPath: inPath.has(wire),
        schema: idsOnly ? idSchema : (schema as GenericSchema),
        convert: idsOnly ? idOnly : converter(schema as GenericSchema),
      }
    })
}

type Path = Readonly<Record<string, string>>
type InputField = Picked<Path, Parameters>

const fixed = ([key, value]: [string, unknown]): InputField => ({ key, from: key, read: () => value })

/** What the path names cannot be overridden by a query or a body. What is not sent is undefined, as if it were not there. */
const reading = ({ wire, input, inPath, convert }: Field): InputField => ({
  key: input,
  from: wire,
  read: inPath
    ? (path) => convert(path[wire])
    : (_, sent) => (Object.hasOwn(sent, wire) ? convert(sent[wire]) : undefined),
})

export function inputReader(route: Route): InputReader {
  const fields = fieldsOf(route)
  const parameters = fields.map(({ wire, input, schema }) => ({ wire, input, fallback: getDefault(schema as never) }))
  const wires = new Map(fields.map(({ input, wire }) => [input, route.called[wire] ?? wire]))
  return {
    fields,
    read: picker([...Object.entries(route.given).map(fixed), ...fields.map(reading)]),
    pageQuery: pageQueries(parameters),
    wireName(field) {
      const open = field.indexOf('[')
      const head = open < 0 ? field : field.slice(0, open)
      return (wires.get(head) ?? snake(head)) + snake(open < 0 ? '' : field.slice(open))
    },
  }
}
