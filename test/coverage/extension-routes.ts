import { commitCommentRoutes } from '../../packages/http/src/routes/commit-comments.ts'
import { mergeRequestChangeRoutes } from '../../packages/http/src/routes/merge-request-changes.ts'
import { runnerJobRoutes } from '../../packages/http/src/routes/runner-jobs.ts'
import { routes } from '../../packages/http/src/routes.ts'
import { getOperationName } from '../../packages/http/src/routing/operation-names.ts'
import { type Route, toFullPath } from '../../packages/http/src/routing/route.ts'
import { createRouter } from '../../packages/http/src/routing/router.ts'
import { firstDocument, secondDocument } from './documented-routes.ts'

const findRoute = createRouter(routes)

/**
 * The route that serves a method and path, as `GET /api/v4/projects/:id/labels`; undefined if none does. Path parameters
 * may be values or names: `/projects/1/labels` and `/projects/:project_id/labels` are the same route.
 */
export const toRouteLine = (line: string): string | undefined => {
  const [method = '', path = ''] = line.replace(/\?.*$/, '').split(/ +/)
  const match = findRoute(method, toFullPath(path))
  return match.kind === 'route' ? `${method} ${match.route.path}` : undefined
}

/** Routes with tests of their own: those of merge requests that read the repository, of discussions on commits, and of runners. */
const parts = new Map([
  ...mergeRequestChangeRoutes.map((route) => [route, 'merge request changes'] as const),
  ...runnerJobRoutes.map((route) => [route, 'runner jobs'] as const),
  ...commitCommentRoutes
    .filter(({ path }) => path.includes('/discussions'))
    .map((route) => [route, 'commit discussions'] as const),
])

/** `merge request approvals`: the feature of the operation in words, as the documents name their families. */
const toFamily = (route: Route) =>
  parts.get(route) ??
  (getOperationName(route.operation)?.split('.')[0] ?? 'unknown').replace(
    /[A-Z]/g,
    (letter) => ` ${letter.toLowerCase()}`,
  )

/** The routes that are marked as extensions, by family. */
export const extensionRoutes: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(
    Object.groupBy(
      routes.filter(({ extension }) => extension),
      toFamily,
    ),
  ).map(([family, own = []]) => [family, own.map(({ method, path }) => `${method} ${path}`)]),
)

/** The documented routes of a family and its extensions. */
export const routesOf = (family: string): string[] => [
  ...(firstDocument[family] ?? secondDocument[family] ?? []).map((line) => toRouteLine(line) ?? line),
  ...(extensionRoutes[family] ?? []),
]
