import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Platform } from '@forgelet/core'
import { optionNames } from '@forgelet/core/operations'
import { type AppOptions, appOptions, assertAppArguments } from '../app/app-options.ts'
import { describeError } from '../app/error-text.ts'
import type { MetricsSnapshot } from '../metrics/measurements.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createFailureLog } from './failure-log.ts'
import { createListener } from './node-handler.ts'
import { createServer } from './node-http.ts'

/** Options of a server. */
export interface ServeOptions extends AppOptions {
  /** 0 selects a free port. Default 8080. */
  readonly port?: number
  /** The IP address to listen on. Default 127.0.0.1: only this machine. */
  readonly host?: string
  /** Milliseconds between two runs of due jobs; 0 runs none. Default 1,000. */
  readonly jobInterval?: number
  /**
   * Milliseconds between `close()` and the end of listening. During this time `/-/readiness` replies 503, so that load balancers
   * stop sending requests. Default 0.
   */
  readonly drainDelay?: number
  /**
   * Milliseconds between the end of listening and the closing of idle connections. During this time requests on open connections
   * are answered with `Connection: close`; closing an idle connection resets a client that sends at this moment.
   * Default 1,000.
   */
  readonly idleGrace?: number
  /** The version that `/-/metrics` reports. */
  readonly version?: string
  /** The value of the label `worker` of this process's gauges, where several processes serve together. */
  readonly worker?: string
  /** Where several processes share a socket: called when this one has ended listening, resolves when all have. */
  readonly socketClosed?: () => Promise<void>
  /** Collects the metrics of all worker processes, in the Prometheus text format. Default: those of this process. */
  readonly gatherMetrics?: () => Promise<string>
}

const serveOptions = [
  ...appOptions,
  ...optionNames<Omit<ServeOptions, keyof AppOptions>>({
    port: true,
    host: true,
    jobInterval: true,
    drainDelay: true,
    idleGrace: true,
    version: true,
    worker: true,
    socketClosed: true,
    gatherMetrics: true,
  }),
]

/** A listening server. */
export interface RunningServer {
  /** The URL with the actual port. */
  readonly url: string
  /** The metrics of this process, for `gatherMetrics`. */
  metrics(): Promise<MetricsSnapshot>
  /**
   * Stops listening, aborts running jobs, which are repeated later, and waits for requests in progress. Takes at most 8
   * seconds after the drain delay.
   */
  close(): Promise<void>
}

/** Milliseconds that requests in progress can take during `close`. */
const closeTimeout = 7_500

/** Milliseconds between checks whether the database accepts writes. */
const writeCheckInterval = 1_000

/** Milliseconds until the git helper process is started. */
const gitHelperDelay = 500

/** Limits per connection: bytes of headers, and milliseconds. */
const serverLimits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  // A push may take as long as git, which has a limit of its own. Bodies of the API have a shorter one.
  requestTimeout: 15 * 60_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
} as const

/** Creates no body stream for requests without a body. Ignored by node before 24.10. */
const serverOptions = { optimizeEmptyRequests: true } as const

/** Replies to errors of node's HTTP parser, by error code. All others receive a 400. */
const parserReplies: Readonly<Record<string, readonly [number, string, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request headers are too large'],
}

const onClientError = (error: Error & { code?: string }, socket: Socket) => {
  if (!socket.writable || socket.destroyed) return
  const [status, reason, text] = parserReplies[error.code ?? ''] ?? [400, 'Bad Request', 'The request cannot be read']
  const body = JSON.stringify({ error: text })
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const listen = (server: Server, port: number, host: string) =>
  new Promise<AddressInfo>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })

/** Logs when writes begin to be rejected, because the data file is read-only or was replaced, and when that ends. */
const startWriteChecks = (platform: Platform, logger: AppOptions['logger']) => {
  let previous: string | undefined
  const check = () => {
    const reason = platform.getWriteError()?.message
    if (reason === previous) return
    previous = reason
    if (reason === undefined) logger?.info({}, 'writes are accepted again')
    else logger?.error({ reason }, 'writes are rejected')
  }
  check()
  const timer = setInterval(check, writeCheckInterval).unref()
  return () => clearInterval(timer)
}

interface CloseOptions {
  readonly idleGrace: number
  /** Waits until other processes have closed the same socket. */
  readonly socketClosed: () => Promise<void>
  /** From now on, each response must close its connection. */
  readonly onListeningEnded: () => void
}

/** Ends listening, then idle connections after the grace period, then all others after the timeout. */
const closeConnections = async (server: Server, { idleGrace, socketClosed, onListeningEnded }: CloseOptions) => {
  const closed = once(server, 'close')
  const forceClose = setTimeout(() => server.closeAllConnections(), closeTimeout)
  // `close` of an HTTP server also closes idle connections at once. In Bun, an HTTP server is no `net.Server`.
  if ((server as object) instanceof NetServer) NetServer.prototype.close.call(server)
  else server.close()
  // A client whose connection closes would reconnect to a socket on which no process accepts connections, and be reset.
  await socketClosed()
  onListeningEnded()
  const closeIdle = setTimeout(() => server.close(), idleGrace)
  await closed
  clearTimeout(forceClose)
  clearTimeout(closeIdle)
  // Ends the periodic check of timeouts.
  server.close()
}

/**
 * Serves a platform on a port. Resolves once it listens. Closing the server does not close the platform.
 *
 * @example
 * ```ts
 * import { createPlatform, sqlite } from '@forgelet/core'
 * import { demo, seed } from '@forgelet/core/seed'
 * import { serve } from '@forgelet/http'
 *
 * const platform = createPlatform(sqlite(':memory:'))
 * await seed(platform, demo)
 * const server = await serve(platform, { port: 0 })
 * const response = await fetch(`${server.url}/api/v4/projects/acme%2Fweb/labels`)
 * console.log(response.status) // → 200
 * await server.close()
 * await platform.close()
 * ```
 */
export async function serve(platform: Platform, options: ServeOptions = {}): Promise<RunningServer> {
  assertAppArguments('serve', platform, options, serveOptions)
  const { port = 8080, host = '127.0.0.1', jobInterval = 1_000, drainDelay = 0, idleGrace = 1_000 } = options
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new TypeError(`port must be an integer from 0 to 65535, not '${port}'`)
  await platform.ready()
  if (options.oauth) await (await import('../oauth/load-provider.ts')).loadProviderPackage()
  if (options.openid) await (await import('../openid/load-client.ts')).loadClientPackage()
  const server = createServer({ ...serverLimits, ...serverOptions })
  server.maxHeadersCount = 200
  server.maxRequestsPerSocket = 1_000
  server.maxConnections = 2_000
  server.on('clientError', onClientError)
  const address = await listen(server, port, host)
  // A connection that cannot be accepted must not end the process.
  server.on('error', (error) => options.logger?.error({ error: describeError(error) }, 'server'))
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
  let stopping: Promise<void> | undefined
  let isClosing = false
  const metrics = createMetrics(platform, {
    version: options.version ?? 'unknown',
    worker: options.worker,
    gather: options.gatherMetrics,
  })
  const listener = createListener(platform, options, {
    url,
    state: { metrics, isDraining: () => stopping !== undefined, isClosing: () => isClosing },
  })
  server.on('request', listener)
  // Forking is cheap while the process is small, but must not delay the first replies. An earlier use starts it at once.
  const gitStart = setTimeout(() => {
    platform.ports.git.start().catch((error: unknown) => options.logger?.error({ error: String(error) }, 'git'))
  }, gitHelperDelay).unref()
  const failureLog = createFailureLog(options.logger, 'jobs')
  const stopJobs =
    jobInterval > 0 ? platform.jobs.start({ interval: jobInterval, ...failureLog }) : async () => undefined

  const stopWriteChecks = startWriteChecks(platform, options.logger)

  const stop = async () => {
    clearTimeout(gitStart)
    if (drainDelay > 0) await pause(drainDelay)
    const onListeningEnded = () => {
      isClosing = true
    }
    const { socketClosed = async () => undefined } = options
    await Promise.all([closeConnections(server, { idleGrace, socketClosed, onListeningEnded }), stopJobs()])
    stopWriteChecks()
    metrics.stop()
  }
  return {
    url,
    metrics: metrics.snapshot,
    close() {
      stopping ??= stop()
      return stopping
    },
  }
}
