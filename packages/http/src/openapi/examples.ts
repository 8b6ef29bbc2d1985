import { settingAliases, settingDefinition } from '@forgelet/core/operations'
import type { Shape } from '../reply/wire.ts'
import type { Route } from '../routing/route.ts'
import { toCamelCase } from '../wire-names.ts'
import { nameExamples, placeExamples, routeExamples, schemaExamples, scimPatch, scimUser } from './example-values.ts'
import type { Json } from './json-schema.ts'

type Values = Readonly<Record<string, unknown>>
type RouteLine = Pick<Route, 'method' | 'path'>

/** `PUT /projects/:id/labels`, and the same with `*` for `projects` and `groups`. */
const getKeys = ({ method, path }: RouteLine): readonly string[] => {
  const short = path.replace(/^\/api\/v4/, '')
  return [`${method} ${short}`, `${method} ${short.replace(/^\/(?:projects|groups)\/:id/, '/*/:id')}`]
}

/** The examples of this route only. */
const getOwnExamples = (route: RouteLine): Values =>
  getKeys(route)
    .map((key) => routeExamples[key])
    .find((values) => values !== undefined) ?? {}

/** The example that only this route has. */
export const findOwnExample = (route: RouteLine, name: string): unknown => getOwnExamples(route)[name]

/** Whether samples of the route contain a parameter that is not required. */
export const isShownInSamples = (route: RouteLine, name: string): boolean => Object.hasOwn(getOwnExamples(route), name)

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

const dates: Readonly<Record<string, RegExp>> = { date: /^\d{4}-\d\d-\d\d$/, 'date-time': /^\d{4}-\d\d-\d\dT/ }

/** Whether a value has the type of a schema. Fields of the same name can have different types. */
const isValid = (value: unknown, { $ref, type, format, enum: values, anyOf, properties }: Json): boolean => {
  if (Array.isArray(anyOf)) return anyOf.some((inner) => isValid(value, inner))
  if (Array.isArray(values)) return values.includes(value)
  if (format === 'uri') return typeof value === 'string' && URL.canParse(value)
  if (dates[String(format)]?.test(String(value)) === false) return false
  if ($ref !== undefined || properties !== undefined) return false
  return type === undefined || type === typeOf(value) || (type === 'number' && typeof value === 'number')
}

/** The example of one parameter; undefined if there is none for its type. */
export const findExample = (route: RouteLine, name: string, schema: Json): unknown => {
  const ownExamples = getOwnExamples(route)
  if (Object.hasOwn(ownExamples, name)) return ownExamples[name]
  const [place] = Object.entries(placeExamples)
    .filter(([part, values]) => route.path.includes(part) && Object.hasOwn(values, name))
    .slice(-1)
  if (place) return place[1][name]
  const example = nameExamples[name]
  if (example !== undefined && isValid(example, schema)) return example
  return /(?:^|_i?)id$/.test(name) ? 1 : undefined
}

/** The example of a body that is one input. */
export const findBodyExample = ({ method }: Pick<Route, 'method'>): Json => (method === 'PATCH' ? scimPatch : scimUser)

const getSettingDefault = (name: string): unknown => {
  // A decimal string in responses.
  if (name === 'polling_interval_multiplier') return '1.0'
  const setting = toCamelCase(name)
  const current = Object.hasOwn(settingAliases, setting)
    ? settingAliases[setting as keyof typeof settingAliases]
    : setting
  return settingDefinition(current as Parameters<typeof settingDefinition>[0]).default
}

/** The example of a response field; undefined if its type and format are sufficient. */
export type FindFieldExample = (title: string, name: string, schema: Json) => unknown

const getTitle = (shape: Shape | undefined): string | undefined =>
  shape !== undefined && 'title' in shape ? shape.title : undefined

const hasNamedItems = ({ items }: Json) => typeof items === 'object' && items !== null && '$ref' in items

/** An object has the examples of the first request with a body that returns it. */
export const createFieldExamples = (routes: readonly Route[]): FindFieldExample => {
  const written = new Map<string, Values>()
  for (const route of routes) {
    const title = getTitle(route.respond.shape)
    if (title === undefined || route.method === 'GET' || route.method === 'DELETE') continue
    const sent = Object.entries(getOwnExamples(route)).filter(([name]) => !route.path.includes(`/:${name}`))
    written.set(title, { ...Object.fromEntries(sent), ...written.get(title) })
  }
  return (title, name, schema) => {
    const own = schemaExamples[title]
    if (own && Object.hasOwn(own, name) && isValid(own[name], schema)) return own[name]
    if (title === 'ApplicationSettings') return getSettingDefault(name)
    const example = name.endsWith('_in_percentage') ? '97.56%' : (written.get(title)?.[name] ?? nameExamples[name])
    return hasNamedItems(schema) || !isValid(example, schema) ? undefined : example
  }
}
