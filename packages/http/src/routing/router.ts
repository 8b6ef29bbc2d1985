import { compileMapper, type Mapper } from '@forgelet/core/operations'
import { splitPath } from '../request/target.ts'
import type { Method, Route } from './route.ts'

/** The properties of a route that the router reads. */
type Routable = Pick<Route, 'method' | 'path' | 'multiSegmentParams'>

interface TreeNode<R> {
  readonly literals: Map<string, TreeNode<R>>
  parameter?: TreeNode<R>
  /** A parameter that matches one or more segments. */
  multiSegment?: TreeNode<R>
  readonly routes: Map<Method, Leaf<R>>
}

interface Leaf<R> {
  readonly route: R
  /** Maps the values of the path parameters, in order, to their names. */
  readonly collectParameters: Mapper<readonly string[]>
}

export type Match<R> =
  | { readonly kind: 'route'; readonly route: R; readonly path: Readonly<Record<string, string>> }
  | { readonly kind: 'method'; readonly allow: readonly Method[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'encoding' }

const createNode = <R>(): TreeNode<R> => ({ literals: new Map(), routes: new Map() })

const insertRoute = <R extends Routable>(root: TreeNode<R>, route: R) => {
  const names: string[] = []
  let node = root
  for (const segment of splitPath(route.path)) {
    if (segment.startsWith(':')) {
      names.push(segment.slice(1))
      const kind = route.multiSegmentParams.includes(segment.slice(1)) ? 'multiSegment' : 'parameter'
      node[kind] ??= createNode()
      node = node[kind]
      continue
    }
    const next = node.literals.get(segment) ?? createNode<R>()
    node.literals.set(segment, next)
    node = next
  }
  if (node.routes.has(route.method)) throw new Error(`Duplicate route ${route.method} ${route.path}`)
  node.routes.set(route.method, { route, collectParameters: compileMapper(names.map((key, from) => ({ key, from }))) })
}

interface Search {
  readonly segments: readonly string[]
  readonly method: Method
  /** Values of the path parameters matched so far. */
  readonly values: string[]
  /** Methods of routes with this path but another method. */
  readonly allowedMethods: Method[]
}

/** The first matching route below a node. Literal segments take precedence over parameters. */
const findLeaf = <R>(node: TreeNode<R>, from: number, search: Search): Leaf<R> | undefined => {
  const { segments, method, values } = search
  const segment = segments[from]
  if (segment === undefined) {
    const leaf = node.routes.get(method)
    if (!leaf) search.allowedMethods.push(...node.routes.keys())
    return leaf
  }
  const literal = node.literals.get(segment) ?? findWithoutFormat(node, segment, from === segments.length - 1)
  const literalLeaf = literal && findLeaf(literal, from + 1, search)
  if (literalLeaf) return literalLeaf
  if (node.parameter) {
    values.push(segment)
    const leaf = findLeaf(node.parameter, from + 1, search)
    if (leaf) return leaf
    values.pop()
  }
  if (!node.multiSegment) return undefined
  // Appends one segment per step; joining them in each step would take quadratic time for long paths.
  let value = segment
  for (let to = from + 1; to <= segments.length; to++) {
    values.push(value)
    const leaf = findLeaf(node.multiSegment, to, search)
    if (leaf) return leaf
    values.pop()
    value += `/${segments[to]}`
  }
  return undefined
}

/** `labels.json` matches `labels`. */
const findWithoutFormat = <R>(node: TreeNode<R>, segment: string, isLast: boolean): TreeNode<R> | undefined =>
  isLast && segment.endsWith('.json') ? node.literals.get(segment.slice(0, -'.json'.length)) : undefined

/**
 * Matches the path as sent and decodes its segments afterwards, so that `%2F` does not split a segment. Trailing and
 * double slashes are ignored. HEAD requests match GET routes.
 */
export function createRouter<R extends Routable>(routes: readonly R[]): (method: string, path: string) => Match<R> {
  const root = createNode<R>()
  for (const route of routes) insertRoute(root, route)

  return (method, path) => {
    const search: Search = {
      segments: splitPath(path),
      method: (method === 'HEAD' ? 'GET' : method) as Method,
      values: [],
      allowedMethods: [],
    }
    const leaf = findLeaf(root, 0, search)
    if (leaf) return createMatch(leaf, search.values)
    return search.allowedMethods.length
      ? { kind: 'method', allow: [...new Set(search.allowedMethods)] }
      : { kind: 'none' }
  }
}

const createMatch = <R>({ route, collectParameters }: Leaf<R>, values: readonly string[]): Match<R> => {
  try {
    return { kind: 'route', route, path: collectParameters(values.map(decodeURIComponent)) as Record<string, string> }
  } catch {
    return { kind: 'encoding' }
  }
}
