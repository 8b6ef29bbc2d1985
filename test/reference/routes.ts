import { policy } from '@forgelet/core/policy'
import { openApi } from '../../packages/http/src/openapi.ts'
import type { Route } from '../../packages/http/src/route.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { operationName } from '../../packages/http/src/seen.ts'

interface Described {
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, unknown>>
}

const description = openApi(routes, { url: '' }) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

const described = ({ method, path }: Route): Described => {
  const place = path.replace(/:([a-z_]+)/g, '{$1}')
  return description.paths[place]?.[method.toLowerCase()] as Described
}

const rules = policy as unknown as Readonly<Record<string, Readonly<Record<string, { readonly says: string }>>>>

/** The word of an address that says that it is about such a thing. */
const words: Readonly<Record<string, string>> = {
  project: 'projects',
  registry: 'projects',
  group: 'groups',
  issue: 'issues',
  mergeRequest: 'merge_requests',
  snippet: 'snippets',
  epic: 'epics',
}

/** What an address can be about: the project in `/projects/:id/labels`, where labels are of groups as well. */
const kindsOf = ({ path, operation: { kinds } }: Route): readonly string[] => {
  const fitting = kinds.filter((kind) => words[kind] === undefined || path.includes(`/${words[kind]}/:`))
  return fitting.length ? fitting : kinds
}

/** Whoever may, in the words of the policy; where they differ, for each kind of thing that the address may be about. */
const allowedTo = (route: Route) => {
  const kinds = kindsOf(route)
  const sentences = kinds.map((kind) => String(rules[kind]?.[route.operation.can]?.says))
  if (new Set(sentences).size === 1) return String(sentences[0])
  return kinds.map((kind, at) => `${kind}: ${sentences[at]}`).join('; ')
}

const row = (route: Route) => {
  const status = Object.keys(described(route).responses)[0]
  const cells = [
    `\`${route.method} ${route.path.replace(/^\/api\/v4/, '')}\`${route.extension ? ' ⁺' : ''}`,
    `\`${operationName(route.operation)}\``,
    status,
    allowedTo(route).replaceAll('|', '\\|'),
  ]
  return `| ${cells.join(' | ')} |`
}

const byPath = (one: Route, other: Route) => (one.path < other.path ? -1 : Number(one.path > other.path))

/** The page of all addresses, by what they are about. */
export function routesPage(): string {
  const tags = [...new Set(routes.map((route) => described(route).tags[0] as string))].sort()
  const extensions = routes.filter(({ extension }) => extension).length
  const sections = tags.map((tag) => {
    const rows = routes.filter((route) => described(route).tags[0] === tag).sort(byPath)
    return `## ${tag}

| Address | Operation | Status | Allowed to |
| --- | --- | --- | --- |
${rows.map(row).join('\n')}
`
  })
  return `# Routes

Every address that is served, ${routes.length} in all, with the operation of the library behind it, the status of success, and
who is let in. This page is generated (\`pnpm docs:reference\`); a test keeps it up to date. Addresses are below \`/api/v4\`
unless they begin with \`/api\`. ${extensions} are marked ⁺: they are not in the documents that the API follows, and are there so that
real tools start. Parameters and replies are in \`/api/v4/openapi.json\` of a running server.

${sections.join('\n')}`
}
