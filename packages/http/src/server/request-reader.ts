import type { Identity, Platform } from '@forgelet/core'
import { parseBody, UnsupportedContentTypeError } from '../request/body.ts'
import { BodyTooLargeError, findToken, maxAnonymousBodySize } from '../request/body-limits.ts'
import { createParameters, InvalidParametersError, type Parameters, parseQuery } from '../request/parameters.ts'
import type { Route } from '../routing/route.ts'
import type { RequestContext } from './request-context.ts'

/** The parameters of the query, then those of the body, if there is one. */
export type ParameterSources = readonly Parameters[]

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Bytes. The credential is checked before a larger body is read. */
const smallBodySize = 64 * 1024

const noParameters: Parameters = Object.freeze(createParameters())

/** Those of the body take precedence. */
const mergeSources = ([query = noParameters, body]: ParameterSources, route: Route): Parameters => {
  if (route.body !== undefined) return Object.assign(createParameters(), query, { [route.body]: body ?? noParameters })
  const parameters = body ? Object.assign(createParameters(), query, body) : query
  return route.rewrite ? route.rewrite(parameters) : parameters
}

const isParseError = (error: unknown) =>
  error instanceof InvalidParametersError || error instanceof UnsupportedContentTypeError

/** The caller and the parameters of a request. */
export interface ReadRequest {
  readonly identity: Identity
  readonly parameters: Parameters
}

type RequestReader = (
  context: RequestContext,
  route: Route,
  getIdentity: (sources: ParameterSources) => Identity | Promise<Identity>,
) => Promise<ReadRequest>

/**
 * Creates the function that reads the parameters of a request. An invalid token is an error before a large body is read, and
 * before an unreadable one is rejected.
 */
export const createRequestReader = (platform: Platform): RequestReader => {
  const authenticate = async (identity: Identity) => {
    if (identity !== null && 'token' in identity) await platform.authenticate(identity.token)
  }

  /** The token can be a parameter of the body itself. */
  const extendLimit = async (start: Uint8Array) => {
    const token = findToken(start)
    if (token === undefined) throw new BodyTooLargeError()
    await authenticate({ token })
  }

  const readBody = async ({ request, protocol }: RequestContext, route: Route, identity: Identity) => {
    if (request.bodySize === undefined || request.bodySize > smallBodySize) await authenticate(identity)
    const limit = identity === null ? { size: maxAnonymousBodySize, extend: extendLimit } : { size: route.maxBodySize }
    return parseBody(await request.body(limit), request.header('content-type'), protocol.jsonOnly, route.files)
  }

  return async (context, route, getIdentity) => {
    const { request, query } = context
    let sources: ParameterSources = []
    try {
      sources = [query === '' ? noParameters : parseQuery(query)]
      if (route.stream === undefined && methodsWithBody.has(request.method) && request.bodySize !== 0) {
        sources = [...sources, await readBody(context, route, await getIdentity(sources))]
      }
      return { identity: await getIdentity(sources), parameters: mergeSources(sources, route) }
    } catch (error) {
      if (isParseError(error)) await authenticate(await getIdentity(sources))
      throw error
    }
  }
}
