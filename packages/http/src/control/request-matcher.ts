import { PlatformError } from '@forgelet/core'
import { findSimilarName } from '@forgelet/core/operations'
import { gitRoutes } from '../git/git-routes.ts'
import { matchGitRequest } from '../git/match-git-request.ts'
import { splitPath, splitTarget } from '../request/target.ts'
import { matchRoute } from '../routing/match-route.ts'
import { getOperationName, isOperationName, operationNames } from '../routing/operation-names.ts'
import { findMisspeltRoute } from './nearest-routes.ts'
import { isPlaceholder, splitPattern } from './path-pattern.ts'

/** The target of a request, with its route and operation. */
export interface ResolvedRequest {
  readonly method: string
  /** As sent, without the query. */
  readonly path: string
  /** `POST /api/v4/projects/:id/labels` */
  readonly route: string | null
  /** `labels.create` */
  readonly operation: string | null
}

export type RequestMatcher = (request: ResolvedRequest) => boolean

const resolveGitRequest = (method: string, target: string): Omit<ResolvedRequest, 'method' | 'path'> | undefined => {
  const action = matchGitRequest(method, splitTarget(target))?.action
  if (action === undefined) return undefined
  const { path, operation } = gitRoutes[action]
  return { route: `${method} ${path}`, operation: getOperationName(operation) ?? null }
}

export const resolveRequest = (method: string, target: string): ResolvedRequest => {
  const { path } = splitTarget(target)
  const git = resolveGitRequest(method, target)
  if (git !== undefined) return { method, path, ...git }
  const match = matchRoute(method, path)
  if (match.kind !== 'route') return { method, path, route: null, operation: null }
  const { route } = match
  return {
    method,
    path,
    route: `${route.method} ${route.path}`,
    operation: getOperationName(route.operation) ?? null,
  }
}

const rejectPattern = (message: string): never => {
  throw new PlatformError('invalid_input', message, { problems: [{ fields: ['on'], message }] })
}

const decodeIfValid = (segment: string) => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const matchesSegments = (pattern: readonly string[], segments: readonly string[]): boolean => {
  for (const [index, expected] of pattern.entries()) {
    if (expected === '**') return true
    const segment = segments[index]
    if (segment === undefined) return false
    if (!isPlaceholder(expected) && decodeIfValid(expected) !== decodeIfValid(segment)) return false
  }
  return pattern.length === segments.length
}

const toTemplate = (segments: readonly string[]) =>
  segments.map((segment) => (isPlaceholder(segment) ? ':' : segment)).join('/')

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', '*'])

/** `:name` and `*` match one segment, `**` the rest. */
export const createPathMatcher = (path: string): RequestMatcher => {
  if (!path.startsWith('/')) rejectPattern(`${path} is not a path: paths start with a slash`)
  const intended = findMisspeltRoute(path)
  if (intended !== undefined) rejectPattern(`${path} matches no route. Did you mean ${intended}?`)
  const pattern = splitPattern(path)
  const template = toTemplate(pattern)
  return ({ path: sent, route }) =>
    matchesSegments(pattern, splitPath(sent)) ||
    // Full paths of groups can contain slashes; then only the route matches.
    (route !== null && toTemplate(splitPath(route.slice(route.indexOf(' ') + 1))) === template)
}

export const createMethodMatcher = (method: string): RequestMatcher => {
  const expected = method.toUpperCase()
  if (!methods.has(expected)) rejectPattern(`${method} is not an HTTP method`)
  return ({ method: sent }) => expected === '*' || sent === expected
}

/** Matches all routes of an operation such as `labels.create`. */
export const createOperationMatcher = (name: string): RequestMatcher => {
  if (!isOperationName(name)) {
    const similar = findSimilarName(name, [...operationNames.values()])
    const advice = similar ? `. Did you mean '${similar}'?` : ': use an operation such as labels.create, or a route'
    rejectPattern(`Unknown operation ${name}${advice}`)
  }
  return ({ operation }) => operation === name
}

/**
 * Parses a pattern: `POST /projects/:id/labels`, `/projects/:id`, `GET *`, or an operation such as `labels.create`.
 * Undefined matches all requests.
 *
 * @throws PlatformError `invalid_input` for anything else, and for a pattern that probably means another route
 */
export const createRequestMatcher = (text: string | undefined): RequestMatcher => {
  const words = text?.trim().split(/ +/) ?? []
  const [first, second] = words
  if (first === undefined || first === '' || first === '**') return () => true
  if (words.length > 2) rejectPattern(`${text} has too many words: expected a method and a path`)
  if (second !== undefined) {
    const matchesMethod = createMethodMatcher(first)
    if (second === '*' || second === '**') return matchesMethod
    const matchesPath = createPathMatcher(second)
    return (request) => matchesMethod(request) && matchesPath(request)
  }
  if (first.startsWith('/')) return createPathMatcher(first)
  return methods.has(first) ? createMethodMatcher(first) : createOperationMatcher(first)
}
