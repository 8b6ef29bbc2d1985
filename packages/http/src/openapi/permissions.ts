import { policy, type Rule } from '@forgelet/core/policy'
import { listPathParameters } from '../request/input-reader.ts'
import type { Route } from '../routing/route.ts'
import { toCamelCase } from '../wire-names.ts'

const rules: Readonly<Record<string, Readonly<Record<string, Omit<Rule<never>, 'allows'>>>>> = policy

/** The part of a path that names each kind of subject. */
const pathParts: Readonly<Record<string, string>> = {
  currentUser: '/user/',
  user: '/users/:',
  project: '/projects/:',
  registry: '/projects/:',
  group: '/groups/:',
  issue: '/issues/:',
  mergeRequest: '/merge_requests/:',
  snippet: '/snippets/:',
  epic: '/epics/:',
}

type RouteInput = Pick<Route, 'path' | 'operation'> & Partial<Route>

/** The kinds that an input with the fields of the path selects, and one with all fields that a request can set. */
const listSelected = ({
  path,
  operation,
  names = {},
  hidden = [],
  fixedInput = {},
  accepts = {},
}: RouteInput): readonly string[] => {
  const inPath = listPathParameters(path).map((wire) => names[wire] ?? toCamelCase(wire))
  const settable = Object.keys(operation.entries).filter(
    (name) => !hidden.includes(name) && !Object.hasOwn(accepts, name),
  )
  const select = (fields: readonly string[]) =>
    operation.kindOf?.({ ...Object.fromEntries(fields.map((name) => [name, 1])), ...fixedInput }) ?? ''
  return [...new Set([select(inPath), select(settable)])]
}

/** The kinds of subjects of a route: only `project` for `/projects/:id/labels`, although the operation accepts groups too. */
export const listKinds = (route: RouteInput): readonly string[] => {
  const {
    path,
    operation: { kinds, kindOf },
  } = route
  if (kindOf && path !== '') return listSelected(route)
  const matching = kinds.filter((kind) => path.includes(pathParts[kind] ?? ''))
  return matching.length ? matching : kinds
}

/** The rule descriptions of the policy; one for each kind of subject if they differ. */
export const describePermittedUsers = (route: RouteInput): string => {
  const kinds = listKinds(route)
  const sentences = kinds.map((kind) => String(rules[kind]?.[route.operation.can]?.description))
  if (new Set(sentences).size === 1) return String(sentences[0])
  return kinds.map((kind, at) => `${kind}: ${sentences[at]}`).join('; ')
}

/** Whether requests without a credential can be permitted. */
export const permitsAnonymous = (route: Route): boolean =>
  listKinds(route).some((kind) => rules[kind]?.[route.operation.can]?.allowsAnonymous)
