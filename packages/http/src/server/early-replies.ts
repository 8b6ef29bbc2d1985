import type { Platform } from '@forgelet/core'
import type { AppOptions, Logger } from '../app/app-options.ts'
import { logUnavailable } from '../app/log-unavailable.ts'
import type { RequestContext } from '../app/request-context.ts'
import { createStaticContent, replyWithContent, type StaticContent } from '../pages/content-encoding.ts'
import type { Protocol } from '../protocols/protocol.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { routes } from '../routes.ts'
import { handleOperatorRequest, type ServerState } from './operator-endpoints.ts'

const apiV3Reply: Reply = { status: 410, body: { error: 'API V3 is no longer supported. Use API V4 instead.' } }

/** The error reply of a protocol that checks the credential first; undefined if the credential is valid. */
const rejectInvalidCredential = async (
  platform: Platform,
  protocol: Protocol,
  request: IncomingRequest,
  logger: Logger | undefined,
): Promise<Reply | undefined> => {
  try {
    await protocol.authenticate?.(platform, request.header)
  } catch (error) {
    const reply = protocol.createErrorReply(error, (field) => field)
    if (!reply) throw error
    logUnavailable(request, error, logger)
    return reply
  }
  return undefined
}

/** Handles requests that need no route. The returned function resolves to undefined for all others. */
export const createEarlyReplies = (
  platform: Platform,
  options: AppOptions,
  site: Site,
  server: ServerState,
): ((context: RequestContext) => Promise<Reply | undefined> | Reply | undefined) => {
  let openApiDocument: Promise<StaticContent> | undefined
  const replyOpenApi = async (request: IncomingRequest): Promise<Reply> => {
    // Imported on first use: serving the API does not need it.
    openApiDocument ??= import('../openapi/document.ts').then(({ createOpenApiDocument }) =>
      createStaticContent(JSON.stringify(createOpenApiDocument(routes, site, options.createdStatus))),
    )
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }
    return replyWithContent(request, await openApiDocument, headers)
  }

  const { metricsToken, logger } = options
  const operator = { platform, server, metricsToken, logger, baseUrl: site.url }
  const replyToOperator = async ({ request, path, log }: RequestContext): Promise<Reply | undefined> => {
    const reply = await handleOperatorRequest(operator, request, path)
    if (reply) log.route = path
    return reply
  }

  return (context) => {
    const { request, path, protocol } = context
    const { method } = request
    if (path === '/api/v4/openapi.json' && (method === 'GET' || method === 'HEAD')) return replyOpenApi(request)
    if (path === '/api/v3' || path.startsWith('/api/v3/')) return apiV3Reply
    if (path.startsWith('/-/')) return replyToOperator(context)
    if (method === 'OPTIONS' || !protocol.authenticate) return undefined
    return rejectInvalidCredential(platform, protocol, request, options.logger)
  }
}
