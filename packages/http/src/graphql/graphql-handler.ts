import { isPlatformError, type Platform, type Session } from '@forgelet/core'
import type { ExecutionResult, GraphQLError } from 'graphql'
import type { AppOptions } from '../app/app-options.ts'
import type { RequestContext } from '../app/request-context.ts'
import { mainProtocol } from '../protocols/main-protocol.ts'
import { createPreflightHeaders } from '../reply/cors.ts'
import { messageWithoutHints } from '../reply/error-replies.ts'
import type { Reply } from '../reply/reply.ts'
import type { Site } from '../reply/wire.ts'
import { parseBody } from '../request/body.ts'
import { createCall } from '../request/call.ts'
import { type Parameters, parseQuery } from '../request/parameters.ts'
import { createCallObserver } from '../request/request-log.ts'
import { createExecutor, type GraphqlRequest } from './execute.ts'
import { loadGraphqlPackage, MissingGraphqlError } from './load-graphql.ts'
import { createQueryMemory } from './query-memory.ts'

/** Bytes. Queries have at most 10,000 characters; variables can be longer. */
const maxBodySize = 1024 * 1024

const allow = 'OPTIONS, POST'

const errorReply = (status: number, message: string): Reply => ({ status, body: { errors: [{ message }] } })

/** Whether a JSON body is an array of queries. */
const isBatch = (body: Uint8Array): boolean => /^\s*\[/.test(new TextDecoder().decode(body.subarray(0, 100)))

const toRequest = ({ query, variables, operationName }: Parameters): GraphqlRequest | string => {
  if (typeof query !== 'string' || query === '') return 'The body has no query'
  const isObject = typeof variables === 'object' && variables !== null && !Array.isArray(variables)
  if (variables != null && !isObject) return 'variables is not an object'
  return {
    query,
    variables: (variables ?? {}) as GraphqlRequest['variables'],
    operationName: typeof operationName === 'string' && operationName !== '' ? operationName : undefined,
  }
}

/** Rejects requests with a token that cannot read the user: it is invalid, or permits less than `read_user`. */
const findRefusal = async (session: Session): Promise<Reply | undefined> => {
  try {
    await session.users.get()
    return undefined
  } catch (error) {
    if (!isPlatformError(error)) throw error
    if (error.code === 'unauthenticated') return errorReply(401, 'Invalid token')
    if (error.code === 'forbidden' || error.code === 'insufficient_scope') return errorReply(403, error.message)
    throw error
  }
}

const getMessage = ({ message, originalError }: GraphQLError): string =>
  isPlatformError(originalError) ? messageWithoutHints(originalError) : message

/** Errors of the platform have messages for clients. Others are logged and end the request with 500. */
const toBody = ({ data, errors }: ExecutionResult) => {
  const unexpected = errors?.find(({ originalError }) => originalError && !isPlatformError(originalError))
  // Invalid variables have no original error, or one of the package.
  if (unexpected?.path && unexpected.originalError?.name !== 'GraphQLError') throw unexpected.originalError
  return {
    ...(data !== undefined && { data }),
    ...(errors?.length && {
      errors: errors.map((error) => ({ message: getMessage(error), ...(error.path && { path: error.path }) })),
    }),
  }
}

/** Replies to requests of GraphQL clients. */
export const createGraphqlHandler = (platform: Platform, options: AppOptions, site: Site) => {
  let executor: Promise<ReturnType<typeof createExecutor>> | undefined

  const reply = async ({ request, query, log }: RequestContext): Promise<Reply> => {
    executor ??= loadGraphqlPackage().then(createExecutor)
    const execute = await executor
    const bytes = await request.body({ size: maxBodySize })
    if (isBatch(bytes))
      return errorReply(400, 'Several queries in one body are not supported: send one request for each')
    const parsed = toRequest(await parseBody(bytes, request.header('content-type'), true))
    if (typeof parsed === 'string') return errorReply(400, parsed)
    const identity = await mainProtocol.readIdentity(request.header, [parseQuery(query)], () =>
      options.identify?.(request.header, request.hostRequest),
    )
    const replySite = request.site === undefined ? site : { ...site, url: request.site }
    const memory = createQueryMemory(request.memory)
    const call = { ...createCall(request, replySite, options.rateLimits ?? true, createCallObserver(log)), memory }
    const session = platform.as(identity, call)
    const refusal = identity === null ? undefined : await findRefusal(session)
    return refusal ?? { status: 200, body: toBody(await execute(parsed, { session, site: replySite, memory })) }
  }

  return async (context: RequestContext): Promise<Reply> => {
    const { request } = context
    if (request.method === 'OPTIONS') return { status: 204, headers: createPreflightHeaders(request, allow) }
    if (request.method !== 'POST') return { ...mainProtocol.createMethodNotAllowedReply(), headers: { Allow: allow } }
    try {
      return await reply(context)
    } catch (error) {
      if (error instanceof MissingGraphqlError) return errorReply(501, error.message)
      const known = mainProtocol.createErrorReply(error, (name) => name)
      if (known === undefined) throw error
      return known
    }
  }
}
