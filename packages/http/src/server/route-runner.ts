import type { Identity, Platform } from '@forgelet/core'
import { badRequest } from '../reply/error-replies.ts'
import { createPagingHeaders } from '../reply/paging-headers.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { parseBody, UnsupportedContentTypeError } from '../request/body.ts'
import { BodyTooLargeError, findToken, maxAnonymousBodySize, maxBodySize } from '../request/body-limits.ts'
import { createCall } from '../request/call.ts'
import { getInputReader, type InputReader } from '../request/input-reader.ts'
import { createParameters, InvalidParametersError, type Parameters, parseQuery } from '../request/parameters.ts'
import { createCallObserver, createRateLimitHeaders, type RequestLog } from '../request/request-log.ts'
import { getOperationName } from '../routing/operation-names.ts'
import type { Route } from '../routing/route.ts'
import type { AppOptions } from './app-options.ts'
import type { RequestContext } from './request-context.ts'

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Bytes. Larger bodies are read only after the credential is checked. */
const smallBodySize = 64 * 1024

/** The client supplied parameters that cannot be read. */
const isParseError = (error: unknown) =>
  error instanceof InvalidParametersError || error instanceof UnsupportedContentTypeError

/** The parameters of the query, then those of the body, if there is one. The last ones take precedence. */
type ParameterSources = readonly Parameters[]

const noParameters: Parameters = Object.freeze(createParameters())

const mergeSources = ([query = noParameters, body]: ParameterSources, route: Route): Parameters => {
  if (route.body !== undefined) return Object.assign(createParameters(), query, { [route.body]: body ?? noParameters })
  return body ? Object.assign(createParameters(), query, body) : query
}

const callOnce = <T>(read: () => T): (() => T) => {
  let result: { readonly value: T } | undefined
  return () => {
    result ??= { value: read() }
    return result.value
  }
}

const chooseStatus = ({ method, creates }: Route, { status }: Reply, { createdStatus }: AppOptions) =>
  method === 'POST' && creates && status === 200 ? (createdStatus ?? 200) : status

const addRateLimitHeaders = (reply: Reply, { limit }: RequestLog): Reply =>
  limit ? { ...reply, headers: { ...reply.headers, ...createRateLimitHeaders(limit) } } : reply

/** The error reply for parameters that the route requires but the operation does not. */
const createMissingReply = (route: Route, parameters: Parameters, { status, body }: Reply): Reply | undefined => {
  const missing = route.required.filter((name) => !Object.hasOwn(parameters, name))
  return missing.length && status === 400 && (body as { error?: string } | undefined)?.error
    ? badRequest(missing.map((name) => `${name} is missing`).join(', '))
    : undefined
}

type PathParameters = Readonly<Record<string, string>>

/** Runs the operation of a route and formats its result or its error as a reply. */
export const createRouteRunner = (
  platform: Platform,
  options: AppOptions,
  site: Site,
): ((context: RequestContext, route: Route, pathParameters: PathParameters) => Promise<Reply>) => {
  const createListHeaders = (
    { request, path }: RequestContext,
    reader: InputReader,
    input: Readonly<Record<string, unknown>>,
    page: NonNullable<Reply['page']>,
  ) => {
    const base = request.site ?? (options.baseUrl === undefined ? '' : site.url)
    return createPagingHeaders(page, `${base}${path}`, reader.createPageQuery(input, page.perPage))
  }

  const authenticate = async (identity: Identity) => {
    if (identity !== null && 'token' in identity) await platform.authenticate(identity.token)
  }

  const readBody = async ({ request, protocol }: RequestContext, route: Route, identity: Identity) => {
    if (request.bodySize === undefined || request.bodySize > smallBodySize) await authenticate(identity)
    const extend = async (start: Uint8Array) => {
      const token = findToken(start)
      if (token === undefined) throw new BodyTooLargeError()
      await authenticate({ token })
    }
    const limit = identity === null ? { size: maxAnonymousBodySize, extend } : { size: maxBodySize }
    return parseBody(await request.body(limit), request.header('content-type'), protocol.jsonOnly, route.files)
  }

  /** Invalid credentials are reported before invalid parameters, as the platform does. */
  const readSources = async (
    context: RequestContext,
    route: Route,
    getIdentity: (sources: ParameterSources) => Identity,
  ): Promise<ParameterSources> => {
    const { request, query } = context
    let sources: ParameterSources = []
    try {
      sources = [query === '' ? noParameters : parseQuery(query)]
      if (!methodsWithBody.has(request.method) || request.bodySize === 0) return sources
      return [...sources, await readBody(context, route, getIdentity(sources))]
    } catch (error) {
      if (isParseError(error)) await authenticate(getIdentity(sources))
      throw error
    }
  }

  return async (context, route, pathParameters) => {
    const { request, protocol, log } = context
    const reader = getInputReader(route)
    log.route = route.path
    log.operation = getOperationName(route.operation)
    const replySite = request.site === undefined ? site : { url: request.site }
    const call = createCall(request, replySite, options.rateLimits ?? true, createCallObserver(log))
    const identifyHost = callOnce(() => options.identify?.(request.header, request.hostRequest))
    const getIdentity = (sources: ParameterSources) => protocol.readIdentity(request.header, sources, identifyHost)
    let parameters = noParameters
    try {
      const sources = await readSources(context, route, getIdentity)
      parameters = mergeSources(sources, route)
      const identity = getIdentity(sources)
      const input = reader.read(pathParameters, parameters)
      const result = await platform.as(identity, call).run(route.operation, input)
      const reply = route.respond(result, replySite)
      const headers = reply.page ? createListHeaders(context, reader, input, reply.page) : reply.headers
      const status = chooseStatus(route, reply, options)
      return addRateLimitHeaders({ ...reply, status, ...(headers && { headers }) }, log)
    } catch (error) {
      const reply = protocol.createErrorReply(error, reader.toWireName)
      if (!reply) throw error
      return createMissingReply(route, parameters, reply) ?? addRateLimitHeaders(reply, log)
    }
  }
}
