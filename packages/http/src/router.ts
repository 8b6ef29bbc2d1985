import type { Method, Route } from './route.ts'

interface Node {
  readonly literals: Map<string, Node>
  parameter?: Node
  /** A parameter that takes one segment or more. */
  span?: Node
  readonly routes: Map<Method, Leaf>
}

interface Leaf {
  readonly route: Route
  /** Names of the path's parameters, in order. */
  readonly names: readonly string[]
}

export type Match =
  | { readonly kind: 'route'; readonly route: Route; readonly path: Readonly<Record<string, string>> }
  | { readonly kind: 'method'; readonly allow: readonly Method[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'encoding' }

const node = (): Node => ({ literals: new Map(), routes: new Map() })

const insert = (root: Node, route: Route) => {
  const names: string[] = []
  let at = root
  for (const segment of route.path.split('/').filter(Boolean)) {
    if (segment.startsWith(':')) {
      names.push(segment.slice(1))
      const kind = route.spans.includes(segment.slice(1)) ? 'span' : 'parameter'
      at[kind] ??= node()
      at = at[kind]
      continue
    }
    const next = at.literals.get(segment) ?? node()
    at.literals.set(segment, next)
    at = next
  }
  if (at.routes.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}`)
  at.routes.set(route.method, { route, names })
}

/** Looks at a node that the segments reach; true ends the search. */
type Visit = (found: Node, values: readonly string[]) => boolean

/** Visits every node that the segments reach, literals before parameters, until one is the right one. */
const reach = (at: Node, segments: readonly string[], from: number, values: string[], visit: Visit): boolean => {
  const segment = segments[from]
  if (segment === undefined) return at.routes.size > 0 && visit(at, values)
  const literal = at.literals.get(segment) ?? at.literals.get(plainFormat(segment, from === segments.length - 1))
  if (literal && reach(literal, segments, from + 1, values, visit)) return true
  if (at.parameter) {
    values.push(segment)
    if (reach(at.parameter, segments, from + 1, values, visit)) return true
    values.pop()
  }
  if (!at.span) return false
  // Grows by a segment at a time: joining anew at each would be slow for addresses of many segments.
  let value = segment
  for (let to = from + 1; to <= segments.length; to++) {
    values.push(value)
    if (reach(at.span, segments, to, values, visit)) return true
    values.pop()
    value += `/${segments[to]}`
  }
  return false
}

/** `labels.json` is `labels`. */
const plainFormat = (segment: string, last: boolean) =>
  last && segment.endsWith('.json') ? segment.slice(0, -'.json'.length) : segment

/**
 * Matches on the path as it was sent and decodes each segment afterwards, so that `%2F` never splits one. Trailing and
 * doubled slashes are tolerated. HEAD is GET.
 */
export function router(routes: readonly Route[]): (method: string, path: string) => Match {
  const root = node()
  for (const route of routes) insert(root, route)

  return (method, path) => {
    const wanted = (method === 'HEAD' ? 'GET' : method) as Method
    const segments = path.split('/').filter(Boolean)
    let match: Match | undefined
    const allow = new Set<Method>()
    reach(root, segments, 0, [], (found, values) => {
      const leaf = found.routes.get(wanted)
      if (leaf) match = matched(leaf, values)
      else for (const known of found.routes.keys()) allow.add(known)
      return leaf !== undefined
    })
    return match ?? (allow.size ? { kind: 'method', allow: [...allow] } : { kind: 'none' })
  }
}

const matched = ({ route, names }: Leaf, values: readonly string[]): Match => {
  const path: Record<string, string> = {}
  try {
    for (let at = 0; at < names.length; at++) path[names[at] as string] = decodeURIComponent(values[at] as string)
  } catch {
    return { kind: 'encoding' }
  }
  return { kind: 'route', route, path }
}
