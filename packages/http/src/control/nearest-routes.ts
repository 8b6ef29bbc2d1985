import { defined, findSimilarName } from '@forgelet/core/operations'
import { splitPath } from '../request/target.ts'
import { routes } from '../routes.ts'
import { isPlaceholder, splitPattern } from './path-pattern.ts'

const shownRoutes = 3

/** How much a segment of a path differs from that of a route, from 0 to 1. A parameter matches everything, but less exactly. */
const compareSegments = (sent: string | undefined, expected: string | undefined): number => {
  if (sent === undefined || expected === undefined) return 1
  if (expected.startsWith(':')) return 0.2
  if (sent === expected) return 0
  return findSimilarName(sent, [expected]) === undefined ? 1 : 0.4
}

const compareRoute = (method: string, segments: readonly string[], route: (typeof routes)[number]): number => {
  const expected = splitPath(route.path)
  const length = Math.max(segments.length, expected.length)
  let difference = method === route.method ? 0 : 0.3
  for (let index = 0; index < length; index++) difference += compareSegments(segments[index], expected[index])
  return difference
}

/** The served routes that resemble a request most: `GET /api/v4/projects/:id/labels`. */
export const findNearestRoutes = (method: string, path: string): readonly string[] => {
  const segments = splitPath(path)
  return routes
    .map((route) => ({ name: `${route.method} ${route.path}`, difference: compareRoute(method, segments, route) }))
    .sort((a, b) => a.difference - b.difference)
    .slice(0, shownRoutes)
    .map(({ name }) => name)
}

/** The only segment of a pattern that a route has otherwise, if it is similar; else undefined. */
const findMisspelling = (pattern: readonly string[], path: string): string | undefined => {
  const expected = splitPath(path)
  if (expected.length !== pattern.length) return undefined
  const different = expected.filter((segment, index) => {
    const own = defined(pattern[index])
    return !isPlaceholder(own) && !isPlaceholder(segment) && own !== segment
  })
  const [segment = ''] = different
  const own = pattern[expected.indexOf(segment)]
  return different.length === 1 && own !== undefined && findSimilarName(own, [segment]) ? path : undefined
}

/**
 * The path of the route that the pattern of a path probably means: it matches no route, but one after a correction of one
 * segment. Patterns for routes that the forge does not have are correct as long as they resemble no route.
 */
export const findMisspeltRoute = (pattern: string): string | undefined => {
  const segments = splitPattern(pattern)
  if (segments.includes('**')) return undefined
  const paths = routes.map((route) => route.path)
  const matchesRoute = paths.some((candidate) => {
    const expected = splitPath(candidate)
    // A placeholder can match a literal segment, such as `user` in `/projects/user/:user_id`, but is not meant to.
    const isSame = (segment: string, index: number) =>
      isPlaceholder(defined(expected[index])) || segment === expected[index]
    return expected.length === segments.length && segments.every(isSame)
  })
  if (matchesRoute) return undefined
  return paths.find((candidate) => findMisspelling(segments, candidate) !== undefined)
}
