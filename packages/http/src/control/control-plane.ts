import { Readable } from 'node:stream'
import { isPlatformError } from '@forgelet/core'
import { defined } from '@forgelet/core/operations'
import * as v from 'valibot'
import type { Middleware } from '../app/middleware.ts'
import { contentTooLarge, createErrorReply } from '../reply/error-replies.ts'
import type { Reply } from '../reply/reply.ts'
import { BodyTooLargeError, maxBodySize } from '../request/body-limits.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { splitPath, splitTarget, type TargetParts } from '../request/target.ts'
import { createControlPageReply } from './control-page.ts'
import { type ControlContext, type ControlRoute, numericParameter } from './control-route.ts'
import { controlRoutes } from './control-routes.ts'
import type { ControlledWorld } from './controlled-world.ts'
import { createEventStreams } from './event-streams.ts'
import { denyAccess } from './guard.ts'
import { WaitTimeoutError } from './wait-for.ts'

/** The path of the control plane. */
export const controlPrefix = '/_forgelet'

/** Options of a control plane. */
export interface ControlPlaneOptions {
  /** Required from all clients if set. Without a token, only requests from this machine are accepted. */
  readonly token?: string | undefined
  /** The URL under which clients reach this server, for the OpenAPI document. */
  readonly baseUrl?: () => string
  /** Whether the control page links to the API reference at `/`. Default true. */
  readonly reference?: boolean
}

/** The control plane of a world. */
export interface ControlPlane {
  /** Handles requests below `/_forgelet`. Use it as the outermost one, so that faults and the journal do not affect it. */
  readonly middleware: Middleware
  /** Ends open event streams. Call it before the server closes. */
  close(): void
}

class InvalidControlRequestError extends Error {}

const matchesPattern = (pattern: readonly string[], segments: readonly string[]) =>
  pattern.length === segments.length && pattern.every((part, index) => part.startsWith(':') || part === segments[index])

const compiledRoutes = controlRoutes.map((route) => ({ route, pattern: splitPath(route.path) }))

const parseBody = async (request: IncomingRequest): Promise<unknown> => {
  const text = Buffer.from(await request.body({ size: maxBodySize })).toString()
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidControlRequestError('The body is not valid JSON')
  }
}

const parseInput = async (
  { method, input }: ControlRoute,
  request: IncomingRequest,
  query: string,
): Promise<unknown> => {
  const parameters = Object.fromEntries(new URLSearchParams(query))
  delete parameters.control_token
  const value = method === 'GET' ? parameters : await parseBody(request)
  if (!input) return value
  const parsed = v.safeParse(input, value)
  if (parsed.success) return parsed.output
  const problems = parsed.issues.map((issue) => {
    const path = issue.path?.map(({ key }) => String(key)).join('.')
    return issue.type === 'strict_object' && issue.expected === 'never'
      ? `${path}: unknown field`
      : `${path ?? 'body'}: ${issue.message}`
  })
  throw new InvalidControlRequestError(problems.join(', '))
}

const readPathName = (pattern: readonly string[], segments: readonly string[]) => {
  const index = pattern.findIndex((part) => part.startsWith(':'))
  if (index < 0) return ''
  try {
    return decodeURIComponent(defined(segments[index]))
  } catch {
    throw new InvalidControlRequestError('The path is not valid percent-encoded UTF-8')
  }
}

const createJsonReply = (status: number, body: unknown): Reply => ({
  status,
  bytes: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
})

const createReply = (result: unknown, { method }: ControlRoute): Reply => {
  if (result instanceof Readable) {
    // A keep-alive connection would delay the shutdown of the server.
    const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', Connection: 'close' }
    return { status: 200, bytes: result, headers }
  }
  return result === undefined || method === 'DELETE' ? { status: 204 } : createJsonReply(200, result)
}

const toErrorReply = (error: unknown): Reply | undefined => {
  if (error instanceof InvalidControlRequestError) return createJsonReply(400, { error: error.message })
  if (error instanceof BodyTooLargeError) return createJsonReply(contentTooLarge.status, contentTooLarge.body)
  if (error instanceof WaitTimeoutError) return createJsonReply(404, { message: error.message })
  if (!isPlatformError(error)) return undefined
  // Messages of invalid seeds and faults contain the paths of all problems, unlike the reply of the main API.
  const { status } = defined(createErrorReply(error, (field) => field))
  return createJsonReply(status, status === 400 ? { error: error.message } : { message: error.message })
}

const replyToUnknownPath = (allowed: readonly string[]): Reply => {
  if (allowed.length === 0) {
    return createJsonReply(404, { error: `404 Not Found: all routes are listed in ${controlPrefix}/openapi.json` })
  }
  const reply = createJsonReply(405, { error: '405 Not Allowed' })
  return { ...reply, headers: { ...reply.headers, Allow: allowed.join(', ') } }
}

/** Creates the control plane of a world. */
export function createControlPlane(world: ControlledWorld, options: ControlPlaneOptions = {}): ControlPlane {
  const streams = createEventStreams(world.journal, world.events)
  const context: ControlContext = {
    world,
    snapshots: new Map(),
    streams,
    getBaseUrl: () => options.baseUrl?.() ?? 'http://localhost',
    // Imported on first use, like the OpenAPI document of the API.
    describe: async () =>
      (await import('./control-description.ts')).describeControlPlane(controlRoutes, context.getBaseUrl()),
  }

  const runRoute = async (request: IncomingRequest, path: string, query: string): Promise<Reply> => {
    const segments = splitPath(path.slice(controlPrefix.length))
    const candidates = compiledRoutes.filter(({ pattern }) => matchesPattern(pattern, segments))
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const match = candidates.find(({ route }) => route.method === method)
    if (!match) return replyToUnknownPath(candidates.map(({ route }) => route.method))
    const { route, pattern } = match
    const lastEventId = v.safeParse(numericParameter, request.header('last-event-id'))
    const result = await route.run(context, {
      input: (await parseInput(route, request, query)) as never,
      name: readPathName(pattern, segments),
      lastEventId: lastEventId.success ? lastEventId.output : undefined,
    })
    if (route.method !== 'GET') streams.notifyWorldChanged(`${route.method} ${path}`)
    return createReply(result, route)
  }

  const handle = async (request: IncomingRequest, { path, query }: TargetParts): Promise<Reply> => {
    const denial = denyAccess(request, options.token)
    // If a token is configured, the page loads without it and prompts for it.
    const page =
      denial && options.token === undefined
        ? undefined
        : await createControlPageReply(request, path, options.reference ?? true)
    if (page) return page
    return denial ? createJsonReply(denial.status, denial.body) : runRoute(request, path, query)
  }

  /** The sign-in page lists the users to clients that could read their tokens here. */
  const offerUsers = (request: IncomingRequest): IncomingRequest =>
    denyAccess(request, options.token) ? request : { ...request, signInUsers: world.tokens }

  return {
    middleware: (next) => async (request) => {
      const target = splitTarget(request.target)
      if (target.path === '/-/sign_in') return next(offerUsers(request))
      if (target.path !== controlPrefix && !target.path.startsWith(`${controlPrefix}/`)) return next(request)
      try {
        return await handle(request, target)
      } catch (error) {
        const reply = toErrorReply(error)
        if (!reply) throw error
        return reply
      }
    },
    close: () => streams.close(),
  }
}
