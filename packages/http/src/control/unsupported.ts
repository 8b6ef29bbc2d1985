import type { Middleware } from '../app/middleware.ts'

/** A request with parameters that GitLab documents and that have no effect. */
export class UnsupportedParametersError extends Error {
  override readonly name = 'UnsupportedParametersError'
  readonly method: string
  /** `/api/v4/projects/:id/issues` */
  readonly route: string
  readonly parameters: readonly string[]

  constructor(method: string, route: string, parameters: readonly string[]) {
    super(`${method} ${route} was requested with parameters that have no effect: ${parameters.join(', ')}`)
    this.method = method
    this.route = route
    this.parameters = parameters
  }
}

/**
 * Cuts requests with documented parameters that have no effect.
 *
 * @param onRequest receives the error that the request fails with
 */
export const rejectUnsupportedParameters =
  (onRequest: (error: UnsupportedParametersError) => void): Middleware =>
  (next) =>
  async (request) => {
    const reply = await next(request)
    const { unsupported, route = request.target } = reply.log ?? {}
    if (!unsupported) return reply
    const error = new UnsupportedParametersError(request.method, route, unsupported)
    onRequest(error)
    throw error
  }
