import type { Method, Route } from './route.ts'

interface Node {
  readonly literals: Map<string, Node>
  parameter?: Node
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
      at.parameter ??= node()
      at = at.parameter
      continue
    }
    const next = at.literals.get(segment) ?? node()
    at.literals.set(segment, next)
    at = next
  }
  if (at.routes.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}`)
  at.routes.set(route.method, { route, names })
}

interface Found {
  readonly node: Node
  readonly values: readonly string[]
}

/** Every node that the segments reach, literals before parameters: the first one that has the method wins. */
function* reach(at: Node, segments: readonly string[], from: number, values: readonly string[]): Generator<Found> {
  const segment = segments[from]
  if (segment === undefined) {
    if (at.routes.size) yield { node: at, values }
    return
  }
  const literal = at.literals.get(segment) ?? at.literals.get(plainFormat(segment, from === segments.length - 1))
  if (literal) yield* reach(literal, segments, from + 1, values)
  if (at.parameter) yield* reach(at.parameter, segments, from + 1, [...values, segment])
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
    const allow = new Set<Method>()
    for (const { node: found, values } of reach(root, segments, 0, [])) {
      const leaf = found.routes.get(wanted)
      if (leaf) return matched(leaf, values)
      for (const known of found.routes.keys()) allow.add(known)
    }
    return allow.size ? { kind: 'method', allow: [...allow] } : { kind: 'none' }
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
