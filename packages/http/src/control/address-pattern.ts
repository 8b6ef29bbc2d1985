import { PlatformError } from '@forgelet/core'
import type { Route } from '../route.ts'
import { router } from '../router.ts'
import { routes } from '../routes.ts'
import { isOperation, operationName } from '../seen.ts'

/** Where a request went, and what was found there. */
export interface Address {
  readonly method: string
  /** As it was sent, without the query. */
  readonly path: string
  /** The route that answers there: `POST /api/v4/projects/:id/labels`. */
  readonly route: string | null
  /** The operation behind it: `labels.create`. */
  readonly operation: string | null
}

export type AddressTest = (address: Address) => boolean

let table: ReturnType<typeof router<Route>> | undefined

/** Worked out when the first request is looked at: most processes never do. */
const match = (method: string, path: string) => {
  table ??= router(routes)
  return table(method, path)
}

export const addressOf = (method: string, target: string): Address => {
  const path = target.split('?', 1)[0] as string
  const found = match(method, path)
  if (found.kind !== 'route') return { method, path, route: null, operation: null }
  const { route } = found
  return {
    method,
    path,
    route: `${route.method} ${route.path}`,
    operation: operationName(route.operation) ?? null,
  }
}

const refuse = (message: string): never => {
  throw new PlatformError('invalid_input', message, { problems: [{ fields: ['on'], message }] })
}

const decoded = (segment: string) => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const segmentsOf = (path: string) => path.split('/').filter(Boolean)

/** `:id` and `*` stand for one segment, whatever they are called. */
const isPlaceholder = (segment: string) => segment === '*' || segment.startsWith(':')

const fits = (pattern: readonly string[], segments: readonly string[]): boolean => {
  for (const [at, wanted] of pattern.entries()) {
    if (wanted === '**') return true
    const segment = segments[at]
    if (segment === undefined) return false
    if (!isPlaceholder(wanted) && wanted !== segment && decoded(wanted) !== decoded(segment)) return false
  }
  return pattern.length === segments.length
}

const shape = (segments: readonly string[]) => segments.map((one) => (isPlaceholder(one) ? ':' : one)).join('/')

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', '*'])

/** A path below `/api/v4`, unless it starts with `/api`, `/-` or `/_`. `:name` and `*` are any one segment, `**` is any rest. */
export const pathTest = (path: string): AddressTest => {
  if (!path.startsWith('/')) refuse(`${path} is no path: it starts with a slash`)
  const pattern = segmentsOf(/^\/(api\/|-\/|_|\*\*)/.test(path) ? path : `/api/v4${path}`)
  const shaped = shape(pattern)
  return ({ path: sent, route }) =>
    fits(pattern, segmentsOf(sent)) ||
    // Full paths of groups may hold plain slashes: there the route says what the segments do not.
    (route !== null && shape(segmentsOf(route.slice(route.indexOf(' ') + 1))) === shaped)
}

export const methodTest = (method: string): AddressTest => {
  const wanted = method.toUpperCase()
  if (!methods.has(wanted)) refuse(`${method} is no method`)
  return ({ method: sent }) => wanted === '*' || sent === wanted
}

/** `labels.create`: every route of an operation. */
export const operationTest = (name: string): AddressTest => {
  if (!isOperation(name)) refuse(`There is no operation ${name}`)
  return ({ operation }) => operation === name
}

/**
 * Reads what requests are meant: `POST /projects/:id/labels`, `/projects/:id`, `GET *`, or an operation such as
 * `labels.create`. Left out: all.
 *
 * @throws PlatformError `invalid_input` when it is none of these
 */
export const addressTest = (text: string | undefined): AddressTest => {
  const words = text?.trim().split(/ +/) ?? []
  const [first, second] = words
  if (first === undefined || first === '' || first === '**') return () => true
  if (words.length > 2) refuse(`${text} has too many words: a method and a path`)
  if (second !== undefined) {
    const [method, path] = [methodTest(first), second === '*' || second === '**' ? () => true : pathTest(second)]
    return (address) => method(address) && path(address)
  }
  if (first.startsWith('/')) return pathTest(first)
  return methods.has(first) ? methodTest(first) : operationTest(first)
}
