import { type Picker, picker } from '@forgelet/core/operations'
import type { Method, Route } from './route.ts'

/** What the router needs to know of a route; it hands back whatever else there is. */
type Routed = Pick<Route, 'method' | 'path' | 'spans'>

interface Node<R> {
  readonly literals: Map<string, Node<R>>
  parameter?: Node<R>
  /** A parameter that takes one segment or more. */
  span?: Node<R>
  readonly routes: Map<Method, Leaf<R>>
}

interface Leaf<R> {
  readonly route: R
  /** Puts the values of the path's parameters, in order, under their names. */
  readonly named: Picker<readonly string[]>
}

export type Match<R> =
  | { readonly kind: 'route'; readonly route: R; readonly path: Readonly<Record<string, string>> }
  | { readonly kind: 'method'; readonly allow: readonly Method[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'encoding' }

const node = <R>(): Node<R> => ({ literals: new Map(), routes: new Map() })

const insert = <R extends Routed>(root: Node<R>, route: R) => {
  const names: string[] = []
  let at = root
  for (const segment of segmentsOf(route.path)) {
    if (segment.startsWith(':')) {
      names.push(segment.slice(1))
      const kind = route.spans.includes(segment.slice(1)) ? 'span' : 'parameter'
      at[kind] ??= node()
      at = at[kind]
      continue
    }
    const next = at.literals.get(segment) ?? node<R>()
    at.literals.set(segment, next)
    at = next
  }
  if (at.routes.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}`)
  at.routes.set(route.method, { route, named: picker(names.map((key, from) => ({ key, from }))) })
}

/** A walk through the tree. */
interface Search {
  readonly segments: readonly string[]
  readonly method: Method
  /** What the parameters on the way stand for. */
  readonly values: string[]
  /** The methods of routes that were passed by, since they have another one. */
  readonly others: Method[]
}

/** What stands between slashes; where nothing does, there is no segment. */
const segmentsOf = (path: string): string[] => {
  const segments: string[] = []
  let from = 0
  while (from < path.length) {
    const slash = path.indexOf('/', from)
    const to = slash < 0 ? path.length : slash
    if (to > from) segments.push(path.slice(from, to))
    from = to + 1
  }
  return segments
}

/** The first route of the right method that the segments reach, literals before parameters. */
const reach = <R>(at: Node<R>, from: number, search: Search): Leaf<R> | undefined => {
  const { segments, method, values } = search
  const segment = segments[from]
  if (segment === undefined) {
    const leaf = at.routes.get(method)
    if (!leaf) search.others.push(...at.routes.keys())
    return leaf
  }
  const literal = at.literals.get(segment) ?? withoutFormat(at, segment, from === segments.length - 1)
  const beyond = literal && reach(literal, from + 1, search)
  if (beyond) return beyond
  if (at.parameter) {
    values.push(segment)
    const found = reach(at.parameter, from + 1, search)
    if (found) return found
    values.pop()
  }
  if (!at.span) return undefined
  // Grows by a segment at a time: joining anew at each would be slow for addresses of many segments.
  let value = segment
  for (let to = from + 1; to <= segments.length; to++) {
    values.push(value)
    const found = reach(at.span, to, search)
    if (found) return found
    values.pop()
    value += `/${segments[to]}`
  }
  return undefined
}

/** `labels.json` is `labels`. */
const withoutFormat = <R>(at: Node<R>, segment: string, isLast: boolean): Node<R> | undefined =>
  isLast && segment.endsWith('.json') ? at.literals.get(segment.slice(0, -'.json'.length)) : undefined

/**
 * Matches on the path as it was sent and decodes each segment afterwards, so that `%2F` never splits one. Trailing and
 * doubled slashes are tolerated. HEAD is GET.
 */
export function router<R extends Routed>(routes: readonly R[]): (method: string, path: string) => Match<R> {
  const root = node<R>()
  for (const route of routes) insert(root, route)

  return (method, path) => {
    const search: Search = {
      segments: segmentsOf(path),
      method: (method === 'HEAD' ? 'GET' : method) as Method,
      values: [],
      others: [],
    }
    const leaf = reach(root, 0, search)
    if (leaf) return matched(leaf, search.values)
    return search.others.length ? { kind: 'method', allow: [...new Set(search.others)] } : { kind: 'none' }
  }
}

const decoded = (text: string) => (text.includes('%') ? decodeURIComponent(text) : text)

const matched = <R>({ route, named }: Leaf<R>, values: readonly string[]): Match<R> => {
  try {
    return { kind: 'route', route, path: named(values.map(decoded)) as Record<string, string> }
  } catch {
    return { kind: 'encoding' }
  }
}
