import { gitRoutes } from '../../packages/http/src/git/git-routes.ts'
import { createOpenApiDocument } from '../../packages/http/src/openapi/document.ts'
import { describePermittedUsers } from '../../packages/http/src/openapi/permissions.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { getOperationName } from '../../packages/http/src/routing/operation-names.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'

interface OpenApiOperation {
  readonly tags: readonly string[]
  readonly responses: Readonly<Record<string, unknown>>
}

const document = createOpenApiDocument(routes, { url: '' }) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
}

const openApiOperation = ({ method, path }: Route): OpenApiOperation => {
  const template = path.replace(/:([a-z_]+)/g, '{$1}')
  return document.paths[template]?.[method.toLowerCase()] as OpenApiOperation
}

const row = (route: Route) => {
  const status = Object.keys(openApiOperation(route).responses)[0]
  const cells = [
    `\`${route.method} ${route.path.replace(/^\/api\/v4/, '')}\`${route.extension ? ' ⁺' : ''}`,
    `\`${getOperationName(route.operation)}\``,
    status,
    describePermittedUsers(route).replaceAll('|', '\\|'),
  ]
  return `| ${cells.join(' | ')} |`
}

const gitRows = Object.values(gitRoutes).map(({ method, path, query, operation }) => {
  const target = query === '' ? path : `${path}?${query}`
  const cells = [
    `\`${method} ${target}\``,
    `\`${getOperationName(operation)}\``,
    '200',
    describePermittedUsers({ path, operation }).replaceAll('|', '\\|'),
  ]
  return `| ${cells.join(' | ')} |`
})

const byPath = (a: Route, b: Route) => (a.path < b.path ? -1 : Number(a.path > b.path))

/** The page of all routes, grouped by tag. */
export function routesPage(): string {
  const tags = [...new Set(routes.map((route) => openApiOperation(route).tags[0] as string))].sort()
  const extensions = routes.filter(({ extension }) => extension).length
  const sections = tags.map((tag) => {
    const rows = routes.filter((route) => openApiOperation(route).tags[0] === tag).sort(byPath)
    return `## ${tag}

| Route | Operation | Status | Allowed to |
| --- | --- | --- | --- |
${rows.map(row).join('\n')}
`
  })
  return `# Routes

All ${routes.length} routes, each with its library operation, the status of a successful response, and the permitted users.
\`pnpm docs:reference\` generates this page, and a test checks that it is up to date. Paths are relative to \`/api/v4\` unless they
begin with \`/api\`. ${extensions} routes are marked ⁺: they are extensions of the documented API that tools require. Parameters and
responses are in \`/api/v4/openapi.json\` of a running server.

${sections.join('\n')}
## Git over HTTP

[Git over HTTP](../guide/git-over-http.md) has these routes outside of \`/api/v4\`. They are not in the OpenAPI document.

| Route | Operation | Status | Allowed to |
| --- | --- | --- | --- |
${gitRows.join('\n')}
`
}
