import { policy } from '@forgelet/core/policy'
import type { Route } from '../routing/route.ts'

interface Rule {
  readonly description: string
  readonly anonymous: boolean
}

const rules = policy as unknown as Readonly<Record<string, Readonly<Record<string, Rule>>>>

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

/** The kinds of subjects of a route: only `project` for `/projects/:id/labels`, although the operation accepts groups too. */
export const listKinds = ({ path, operation: { kinds } }: Pick<Route, 'path' | 'operation'>): readonly string[] => {
  const matching = kinds.filter((kind) => path.includes(pathParts[kind] ?? ''))
  return matching.length ? matching : kinds
}

/** The rule descriptions of the policy; one for each kind of subject if they differ. */
export const describePermittedUsers = (route: Pick<Route, 'path' | 'operation'>): string => {
  const kinds = listKinds(route)
  const sentences = kinds.map((kind) => String(rules[kind]?.[route.operation.can]?.description))
  if (new Set(sentences).size === 1) return String(sentences[0])
  return kinds.map((kind, at) => `${kind}: ${sentences[at]}`).join('; ')
}

/** Whether requests without a credential can be permitted. */
export const permitsAnonymous = (route: Route): boolean =>
  listKinds(route).some((kind) => rules[kind]?.[route.operation.can]?.anonymous)
