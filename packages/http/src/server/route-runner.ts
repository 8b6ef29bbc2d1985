import type { Platform } from '@forgelet/core'
import { leaveLongTurn } from '@forgelet/core/operations'
import type { AppOptions } from '../app/app-options.ts'
import { logUnavailable } from '../app/log-unavailable.ts'
import type { RequestContext } from '../app/request-context.ts'
import { badRequest } from '../reply/error-replies.ts'
import type { ReadItem } from '../reply/page-body.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { createCall } from '../request/call.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { getInputReader, type InputReader } from '../request/input-reader.ts'
import type { Parameters } from '../request/parameters.ts'
import { createCallObserver, createRateLimitHeaders, type RequestLog } from '../request/request-log.ts'
import { getOperationName } from '../routing/operation-names.ts'
import { getSuccessStatus, type Route } from '../routing/route.ts'
import { createListHeaderWriter, isKeyset } from './list-headers.ts'
import { createMovedReply } from './moved-reply.ts'
import { createRequestReader, type ParameterSources, type ReadRequest } from './request-reader.ts'

const callOnce = <T>(read: () => T): (() => T) => {
  let result: { readonly value: T } | undefined
  return () => {
    result ??= { value: read() }
    return result.value
  }
}

/** The header that lists the parameters of a request that GitLab documents and that have no effect. */
const unsupportedHeader = 'Forgelet-Unsupported-Parameters'

const addLogHeaders = (reply: Reply, { limit, unsupported }: RequestLog): Reply => {
  if (!limit && !unsupported) return reply
  const headers = {
    ...reply.headers,
    ...(limit && createRateLimitHeaders(limit)),
    ...(unsupported && { [unsupportedHeader]: unsupported.join(', ') }),
  }
  return { ...reply, headers }
}

/** The reply to invalid input because of parameters that the route treats differently than the operation. */
const explainInvalidInput = (
  route: Route,
  reader: InputReader,
  parameters: Parameters,
  { status, body }: Reply,
): Reply | undefined => {
  if (status !== 400 || !(body as { error?: string } | undefined)?.error) return undefined
  const missing = route.required.filter((name) => !Object.hasOwn(parameters, name))
  if (missing.length) return badRequest(missing.map((name) => `${name} is missing`).join(', '))
  const rejected = reader.findUnsupported(parameters).filter(({ isRejected }) => isRejected)
  if (rejected.length) return badRequest(rejected.map(({ name }) => `${name} is not supported`).join(', '))
  const unsupported = reader.findUnsupportedPaging(parameters)
  return unsupported === undefined
    ? undefined
    : badRequest(`${unsupported} is not available for this list, use page and per_page`)
}

/** The first position of `Content-Range: 100-199`; undefined without one. */
const readRangeStart = (range: string | undefined): number | undefined => {
  const [, start] = /^(?:bytes )?(\d{1,15})-/.exec(range ?? '') ?? []
  return start === undefined ? undefined : Number(start)
}

/** The operation reads the body itself, after its checks. */
const addStream = (
  input: Readonly<Record<string, unknown>>,
  { stream, rangeStart }: Route,
  request: IncomingRequest,
): Readonly<Record<string, unknown>> => {
  if (stream === undefined) return input
  const range = rangeStart === undefined ? {} : { [rangeStart]: readRangeStart(request.header('content-range')) }
  return { ...input, ...range, [stream]: request.stream() }
}

interface PageWindow {
  readonly page: number
  readonly perPage: number
}

/** Pages with keyset pagination have no positions, so they are not read again. */
const createItemReader = (
  { page, perPage }: NonNullable<Reply['page']>,
  run: (window: PageWindow) => Promise<Reply>,
): ReadItem => {
  const offset = (page - 1) * perPage
  return async (index) => ((await run({ page: offset + index + 1, perPage: 1 })).body as readonly unknown[])[0]
}

type PathParameters = Readonly<Record<string, string>>

/** Runs the operation of a route and formats its result or its error as a reply. */
export const createRouteRunner = (
  platform: Platform,
  options: AppOptions,
  site: Site,
): ((context: RequestContext, route: Route, pathParameters: PathParameters) => Promise<Reply>) => {
  const createListHeaders = createListHeaderWriter(options.baseUrl === undefined ? '' : site.url)
  const readRequest = createRequestReader(platform)

  return async (context, route, pathParameters) => {
    const { request, protocol, log } = context
    const reader = getInputReader(route)
    log.route = route.path
    log.operation = getOperationName(route.operation)
    const replySite = request.site === undefined ? site : { ...site, url: request.site }
    const call = createCall(request, replySite, options.rateLimits ?? true, createCallObserver(log))
    const identifyHost = callOnce(() => options.identify?.(request.header, request.hostRequest))
    const getIdentity = (sources: ParameterSources) => protocol.readIdentity(request.header, sources, identifyHost)
    let sent: ReadRequest | undefined
    try {
      sent = await readRequest(context, route, getIdentity)
      const { identity, parameters } = sent
      const ignored = reader.findUnsupported(parameters)
      if (ignored.length) log.unsupported = ignored.map(({ name }) => name)
      const unsupported = ignored.find(({ isRejected }) => isRejected)?.name ?? reader.findUnsupportedPaging(parameters)
      const known = addStream(reader.read(pathParameters, parameters), route, request)
      // The operation rejects the field, which is none of its inputs, after the checks that come before invalid input.
      const input = unsupported === undefined ? known : { ...known, [`parameter ${unsupported}`]: true }
      const session = platform.as(identity, call)
      const run = async (changes?: PageWindow) => {
        const result = await session.run(route.operation, changes ? { ...input, ...changes } : input)
        // Twelve pages of long texts that are read together would otherwise be formatted in one turn of the event loop.
        const turn = leaveLongTurn()
        if (turn) await turn
        const fullReply = route.respond(result, replySite)
        return protocol.finishReply?.(fullReply, parameters) ?? fullReply
      }
      const reply = await run()
      const paging = reply.page && createListHeaders(context, reader, input, reply.page)
      const headers = paging ? { ...reply.headers, ...paging } : reply.headers
      const readItem =
        route.respond.isRereadable && reply.page && !isKeyset(input) ? createItemReader(reply.page, run) : undefined
      const status = getSuccessStatus(route, reply.status, options.createdStatus)
      return addLogHeaders({ ...reply, status, ...(headers && { headers }), readItem }, log)
    } catch (error) {
      const reply = protocol.createErrorReply(error, reader.toWireName)
      if (!reply) throw error
      log.error = error
      const moved =
        sent && reply.status === 404 && (await createMovedReply(platform.as(sent.identity), request, replySite))
      if (moved) return moved
      logUnavailable(request, error, options.logger)
      return addLogHeaders((sent && explainInvalidInput(route, reader, sent.parameters, reply)) ?? reply, log)
    }
  }
}
