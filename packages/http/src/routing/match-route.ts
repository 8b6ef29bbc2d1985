import { routes } from '../routes.ts'
import type { Route } from './route.ts'
import { createRouter, type Match } from './router.ts'

let router: ReturnType<typeof createRouter<Route>> | undefined

/** Finds the route of a request. The router is built on first use and shared by all apps of the process. */
export const matchRoute = (method: string, path: string): Match<Route> => {
  router ??= createRouter(routes)
  return router(method, path)
}
