import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Platform } from '@forgelet/core'
import type { AppOptions, Logger } from './app.ts'
import type { Family } from './metrics/exposition.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { listenerOf } from './node.ts'
import { createServer } from './node-http.ts'

/** How a server of its own listens; all of it may be left out. */
export interface ServeOptions extends AppOptions {
  /** 0 takes any free one. Default 8080. */
  readonly port?: number
  /** Default 127.0.0.1: only this machine. */
  readonly host?: string
  /** How often due jobs are run, in milliseconds; 0 never. Default 1,000. */
  readonly jobInterval?: number
  /**
   * How long it serves on after it was told to close, in milliseconds, while `/-/readiness` says 503: for load balancers, which
   * need a moment to notice. Default 0.
   */
  readonly drainDelay?: number
  /** The version that `/-/metrics` names. */
  readonly version?: string
  /** The figures of all processes that serve together; default: this one's. */
  readonly gatherFigures?: () => Promise<readonly Family[]>
}

/** A server that listens. */
export interface Serving {
  /** Where it really listens. */
  readonly url: string
  /** What this process counts. */
  figures(): Promise<readonly Family[]>
  /** Stops listening, answers what is under way, then closes. Resolves within ten seconds after the drain delay. */
  close(): Promise<void>
}

const grace = 10_000

/** Milliseconds until the helper that runs git is started. */
const helperDelay = 500

/** Limits against slow and greedy clients, in milliseconds and counts. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
} as const

/** Most requests bring no body and need no stream for one. Node before 24.10 does not know this and goes without. */
const habits = { optimizeEmptyRequests: true } as const

/** What the HTTP parser refuses, by its error code; without these replies clients would get a bare 400 or nothing. */
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
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })

/** Runs due jobs again and again, one round at a time. */
const jobLoop = (platform: Platform, interval: number, logger: Logger | undefined) => {
  let running: Promise<unknown> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    running = platform.jobs
      .drain()
      .catch((error: unknown) => logger?.error({ error: String(error) }, 'jobs'))
      .finally(() => {
        busy = false
      })
  }, interval)
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** Serves a platform on a port. Resolves when it answers. The platform stays the caller's: close it after the server. */
export async function serve(platform: Platform, options: ServeOptions = {}): Promise<Serving> {
  const { port = 8080, host = '127.0.0.1', jobInterval = 1_000, drainDelay = 0 } = options
  await platform.ready()
  const server = createServer({ ...limits, ...habits })
  server.maxHeadersCount = 200
  server.maxRequestsPerSocket = 1_000
  server.maxConnections = 2_000
  server.on('clientError', onClientError)
  const address = await listen(server, port, host)
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
  let stopping: Promise<void> | undefined
  const metrics: Metrics = createMetrics(platform, options.version ?? 'unknown', options.gatherFigures)
  const listener = listenerOf(platform, options, { url, host: { metrics, draining: () => stopping !== undefined } })
  server.on('request', listener)
  // Started while the process is small, but not before the first replies: a call that needs it sooner starts it.
  const helper = setTimeout(() => {
    platform.ports.git.start().catch((error: unknown) => options.logger?.error({ error: String(error) }, 'git'))
  }, helperDelay).unref()
  const stopJobs = jobInterval > 0 ? jobLoop(platform, jobInterval, options.logger) : async () => undefined

  const stop = async () => {
    clearTimeout(helper)
    if (drainDelay > 0) await pause(drainDelay)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    const late = setTimeout(() => server.closeAllConnections(), grace)
    await closed
    clearTimeout(late)
    await stopJobs()
    metrics.stop()
  }
  return {
    url,
    figures: metrics.own,
    close() {
      stopping ??= stop()
      return stopping
    },
  }
}
