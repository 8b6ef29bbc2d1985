import { isPlatformError, type Platform } from '@forgelet/core'
import type { AppOptions } from '../app/app-options.ts'
import { logUnavailable } from '../app/log-unavailable.ts'
import { type Metrics, metricsContentType } from '../metrics/metrics.ts'
import { misdirectedRequest } from '../reply/error-replies.ts'
import type { Reply } from '../reply/reply.ts'
import { matchesSecret, readBearerToken } from '../request/credentials.ts'
import { isForwarded, isLoopback } from '../request/forwarding.ts'
import { isOwnHost } from '../request/host-name.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'

/** State of the server around an app. */
export interface ServerState {
  /** Whether the server is shutting down. */
  isDraining(): boolean
  /** Whether the server has ended listening: each response closes its connection. */
  isClosing(): boolean
  readonly metrics?: Metrics
}

interface HealthCheck {
  readonly status: 'ok' | 'failed'
  readonly message?: string
}

const passedCheck: HealthCheck = { status: 'ok' }
const createFailedCheck = (message: string): HealthCheck => ({ status: 'failed', message })

/** Milliseconds. */
const checkTimeout = 3_000

const withTimeout = <T>(promise: Promise<T>, milliseconds: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No result within ${milliseconds} ms`)), milliseconds)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}

/** A read-only database can still serve reads; a deleted or replaced data file requires a restart. */
const checkWrites = (platform: Platform): HealthCheck => {
  const error = platform.getWriteError()
  if (!error) return passedCheck
  if (error.reason === 'readonly') return { status: 'ok', message: 'The data is read-only: writes are rejected' }
  return createFailedCheck('The data file was deleted or replaced')
}

/** Ready means: the database responds, its schema is current, and the server is not draining. */
const createReadinessReply = async (
  platform: Platform,
  server: ServerState,
  request: IncomingRequest,
  logger: AppOptions['logger'],
): Promise<Reply> => {
  const checks: Record<string, HealthCheck> = {
    server_check: server.isDraining() ? createFailedCheck('The server is stopping') : passedCheck,
  }
  try {
    const { store } = await withTimeout(platform.health(), checkTimeout)
    checks.database_check = checkWrites(platform)
    const pendingCheck = store.pending.length
      ? createFailedCheck(`${store.pending.length} migrations have not run`)
      : passedCheck
    checks.migrations_check = store.unknown.length
      ? createFailedCheck('A newer version has migrated the database')
      : pendingCheck
  } catch (error) {
    // The endpoint is public: causes are for the log and for `doctor`.
    logUnavailable(request, error, logger)
    const message = isPlatformError(error) ? error.message : 'The database does not respond'
    checks.database_check = createFailedCheck(message)
  }
  const isReady = Object.values(checks).every(({ status }) => status === 'ok')
  const body = {
    status: isReady ? 'ok' : 'failed',
    ...Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, [check]])),
  }
  return { status: isReady ? 200 : 503, body, headers: { 'Cache-Control': 'no-store' } }
}

/**
 * Whether the request comes from this machine. A proxy on this machine forwards requests from elsewhere: unless it is
 * trusted, and so reports the client's IP address, any forwarding header makes the request non-local.
 */
const isLocal = ({ ipAddress, addressTrusted, header }: IncomingRequest) =>
  ipAddress !== undefined && isLoopback(ipAddress) && (addressTrusted === true || !isForwarded(header))

const hasToken = ({ header }: IncomingRequest, token: string) => {
  const bearer = readBearerToken(header)
  return bearer !== undefined && matchesSecret(bearer, token)
}

const createMetricsReply = async (
  request: IncomingRequest,
  { metrics }: ServerState,
  token: string | undefined,
): Promise<Reply | undefined> => {
  if (!metrics) return undefined
  // If a token is configured, it is also required from this machine.
  const isAllowed = token === undefined ? isLocal(request) : hasToken(request, token)
  if (!isAllowed) return undefined
  const headers = { 'Content-Type': metricsContentType, 'Cache-Control': 'no-store' }
  return { status: 200, bytes: await metrics.text(), headers }
}

/** What the operator endpoints need. */
interface OperatorOptions {
  readonly platform: Platform
  readonly server: ServerState
  readonly metricsToken: AppOptions['metricsToken'] | undefined
  readonly logger: AppOptions['logger'] | undefined
  /** The URL under which clients reach this server. */
  readonly baseUrl: string
}

/**
 * Handles the operator endpoints, which are not part of the API: `/-/health`, `/-/liveness`, `/-/readiness` and
 * `/-/metrics`. Undefined for other paths and for metrics that the client may not read.
 *
 * A page of another site could read them through a domain name that resolves to this machine. Its requests are rejected by
 * their `Host`, unless a trusted proxy forwards them or they have the metrics token.
 */
export const handleOperatorRequest = async (
  options: OperatorOptions,
  request: IncomingRequest,
  path: string,
): Promise<Reply | undefined> => {
  const reply = await createOperatorReply(options, request, path)
  const isProven = path === '/-/metrics' && options.metricsToken !== undefined
  const isOwn = isProven || request.addressTrusted === true || isOwnHost(request.header('host'), options.baseUrl)
  return reply && !isOwn ? misdirectedRequest : reply
}

const createOperatorReply = async (
  { platform, server, metricsToken, logger }: OperatorOptions,
  request: IncomingRequest,
  path: string,
): Promise<Reply | undefined> => {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  switch (path) {
    case '/-/health':
      return { status: 200, bytes: 'Forgelet OK\n', headers: { 'Content-Type': 'text/plain' } }
    case '/-/liveness':
      return { status: 200, body: { status: 'ok' }, headers: { 'Cache-Control': 'no-store' } }
    case '/-/readiness':
      return createReadinessReply(platform, server, request, logger)
    case '/-/metrics':
      return createMetricsReply(request, server, metricsToken)
    default:
      return undefined
  }
}
