import type { Middleware } from '../app/middleware.ts'
import { faultHeader } from './faults.ts'
import { findNearestRoutes } from './nearest-routes.ts'
import { resolveRequest } from './request-matcher.ts'

/** A request to a route that the forge does not serve. */
export class UnservedRequestError extends Error {
  override readonly name = 'UnservedRequestError'
  readonly method: string
  /** As sent, without the query. */
  readonly path: string

  constructor(method: string, path: string) {
    const nearest = findNearestRoutes(method, path).map((route) => `  ${route}`)
    super(
      [
        `${method} ${path} is not served. The nearest routes are:`,
        ...nearest,
        'Add a fault for the path to answer the request in this test. All supported routes:',
        'https://github.com/forgelet/forgelet/blob/main/docs/reference/routes.md',
      ].join('\n'),
    )
    this.method = method
    this.path = path
  }
}

/**
 * Cuts requests to routes that do not exist, unless a fault answers them.
 *
 * @param onRequest receives the error that the request fails with
 */
export const rejectUnservedRequests =
  (onRequest: (error: UnservedRequestError) => void): Middleware =>
  (next) =>
  async (request) => {
    const reply = await next(request)
    const isMissing = reply.status === 404 || reply.status === 405
    // Endpoints of operators have no entry in the table of routes.
    const isServed = reply.log?.route !== undefined || reply.headers?.[faultHeader] !== undefined
    if (!isMissing || isServed) return reply
    const { method, path, route } = resolveRequest(request.method, request.target)
    if (route !== null) return reply
    const error = new UnservedRequestError(method, path)
    onRequest(error)
    throw error
  }
