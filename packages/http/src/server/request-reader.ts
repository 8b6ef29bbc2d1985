import type { Identity, Platform } from '@forgelet/core'
import type { RequestContext } from '../app/request-context.ts'
import { parseBody, UnsupportedContentTypeError } from '../request/body.ts'
import { BodyTooLargeError, findToken, maxAnonymousBodySize } from '../request/body-limits.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { createParameters, InvalidParametersError, type Parameters, parseQuery } from '../request/parameters.ts'
import type { Route } from '../routing/route.ts'

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

/** The parameters in headers; undefined for the routes that have none. */
const readHeaders = ({ headers }: Route, header: IncomingRequest['header']): Parameters | undefined => {
  const names = Object.entries(headers)
  if (!names.length) return undefined
  const parameters = createParameters()
  for (const [wire, name] of names) {
    const value = header(name)
    if (value !== undefined) parameters[wire] = value
  }
  return parameters
}

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
      const parameters = mergeSources(sources, route)
      const sent = readHeaders(route, request.header)
      return { identity: await getIdentity(sources), parameters: sent ? Object.assign(sent, parameters) : parameters }
    } catch (error) {
      if (isParseError(error)) await authenticate(await getIdentity(sources))
      throw error
    }
  }
}
