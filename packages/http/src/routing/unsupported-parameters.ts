import type { Parameters } from '../request/parameters.ts'
import type { Route } from './route.ts'
import { unsupportedTable } from './unsupported-table.ts'

/** A parameter that GitLab documents for a route, without an effect here. */
export interface UnsupportedParameter {
  /** Name on the wire; `not.weight` is the field `weight` of `not`. */
  readonly name: string
  /** Whether calls with the parameter fail, because without it they would change or show more than the caller permits. */
  readonly isRejected: boolean
  /** The value that has no effect in GitLab either. */
  readonly neutral: string | undefined
}

const parseEntry = (entry: string): UnsupportedParameter => {
  const isRejected = entry.startsWith('!')
  const [name = '', neutral] = entry.slice(isRejected ? 1 : 0).split('=')
  return { name, isRejected, neutral }
}

const listEntries = (method: string, path: string): string => unsupportedTable[`${method} ${path}`] ?? ''

/** The unsupported parameters of a route. Those of archives apply to every suffix. */
export const listUnsupportedParameters = (
  { method, path, wireParameters }: Pick<Route, 'method' | 'path' | 'wireParameters'>,
  supported: readonly string[],
): readonly UnsupportedParameter[] =>
  listEntries(method, path.replace('/api/v4', '').replace(/\/archive\..*$/, '/archive'))
    .split(' ')
    .filter(Boolean)
    .map(parseEntry)
    .filter(({ name }) => !supported.includes(name) && !Object.hasOwn(wireParameters, name))

const readValue = (sent: Parameters, name: string): unknown => {
  let value: unknown = sent
  for (const part of name.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined
    value = (value as Parameters)[part]
  }
  return value
}

/** `false`, null and empty values do not request what is rejected. */
const isNeutral = (value: unknown, { isRejected, neutral }: UnsupportedParameter): boolean => {
  if (neutral !== undefined && String(value) === neutral) return true
  if (!isRejected) return false
  const isOff = value === null || value === false || value === 'false' || value === ''
  return isOff || (neutral === undefined && Array.isArray(value) && value.length === 0)
}

/** The unsupported parameters of a request. */
export const findUnsupported = (
  parameters: readonly UnsupportedParameter[],
  sent: Parameters,
): readonly UnsupportedParameter[] =>
  parameters.filter((parameter) => {
    const value = readValue(sent, parameter.name)
    return value !== undefined && !isNeutral(value, parameter)
  })
