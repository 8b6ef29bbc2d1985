import type { Platform } from '@forgelet/core'
import { badRequest } from '../reply/error-replies.ts'
import { createPagingHeaders } from '../reply/paging-headers.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { parseBody } from '../request/body.ts'
import { createCall } from '../request/call.ts'
import { getInputReader, type InputReader } from '../request/input-reader.ts'
import { createParameters, type Parameters, parseQuery } from '../request/parameters.ts'
import { createCallObserver, createRateLimitHeaders, type RequestLog } from '../request/request-log.ts'
import { getOperationName } from '../routing/operation-names.ts'
import type { Route } from '../routing/route.ts'
import type { AppOptions } from './app-options.ts'
import { logUnavailable } from './log-unavailable.ts'
import type { RequestContext } from './request-context.ts'

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** The parameters of query and body. The body takes precedence. */
const readParameters = async ({ request, query, protocol }: RequestContext, route: Route): Promise<Parameters> => {
  const parameters = query === '' ? createParameters() : parseQuery(query)
  if (!methodsWithBody.has(request.method)) return parameters
  const contentType = request.header('content-type')
  const body = await parseBody(await request.body(), contentType, protocol.jsonOnly, route.files)
  Object.assign(parameters, route.body === undefined ? body : { [route.body]: body })
  return route.rewrite ? route.rewrite(parameters) : parameters
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

  return async (context, route, pathParameters) => {
    const { request, protocol, log } = context
    const reader = getInputReader(route)
    const parameters = await readParameters(context, route)
    const identity = protocol.readIdentity(request, parameters, options.identify)
    const input = reader.read(pathParameters, parameters)
    log.route = route.path
    log.operation = getOperationName(route.operation)
    const replySite = request.site === undefined ? site : { url: request.site }
    const call = createCall(request, replySite, options.rateLimits ?? true, createCallObserver(log))
    try {
      const result = await platform.as(identity, call).run(route.operation, input)
      const fullReply = route.respond(result, replySite)
      const reply = protocol.finishReply?.(fullReply, parameters) ?? fullReply
      const headers = reply.page ? createListHeaders(context, reader, input, reply.page) : reply.headers
      const status = chooseStatus(route, reply, options)
      return addRateLimitHeaders({ ...reply, status, ...(headers && { headers }) }, log)
    } catch (error) {
      const reply = protocol.createErrorReply(error, reader.toWireName)
      if (!reply) throw error
      logUnavailable(request, error, options.logger)
      return createMissingReply(route, parameters, reply) ?? addRateLimitHeaders(reply, log)
    }
  }
}
