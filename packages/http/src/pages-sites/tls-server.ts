import { createServer, type Server } from 'node:https'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import type { Platform } from '@forgelet/core'
import { defined, getErrorCode } from '@forgelet/core/operations'
import type { AppOptions } from '../app/app-options.ts'
import { describeError } from '../app/error-text.ts'
import { createListener } from '../server/node-handler.ts'
import { createSitesApp } from './site-layer.ts'

/** Milliseconds for which the certificate of a domain is kept. */
const lifetime = 60_000
/** The same for a domain without one. */
const missingLifetime = 2_000
const maxContexts = 500

/** Options of the server of sites. */
export interface SiteServerOptions extends Pick<AppOptions, 'baseUrl' | 'logger' | 'rateLimits'> {
  /** 0 selects a free port. */
  readonly port: number
  /** The IP address to listen on. Default 127.0.0.1: only this machine. */
  readonly host?: string
}

/** A listening server of sites. */
export interface RunningSiteServer {
  /** The actual port. */
  readonly port: number
  /** Stops listening and closes all connections. */
  close(): Promise<void>
}

/** Finds the stored certificate of a domain by the name in the handshake. */
const createCertificateReader = (platform: Platform) => {
  const { pagesSites } = platform.as({ service: 'sign-in' })
  const known = new Map<string, { readonly context: SecureContext | undefined; readonly until: number }>()
  return async (name: string): Promise<SecureContext | undefined> => {
    const host = name.toLowerCase()
    const now = Date.now()
    const entry = known.get(host)
    if (entry && entry.until > now) return entry.context
    const { certificate: cert, key } = await pagesSites.getDomain({ host })
    const context = cert !== null && key !== null ? createSecureContext({ cert, key }) : undefined
    known.delete(host)
    known.set(host, { context, until: now + (context ? lifetime : missingLifetime) })
    if (known.size > maxContexts) known.delete(defined(known.keys().next().value))
    return context
  }
}

const listen = (server: Server, port: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(address !== null && typeof address === 'object' ? address.port : port)
    })
  })

/** Serves the sites at the domains of projects over TLS, with their stored certificates. A request for another name is refused. */
export const serveSites = async (
  platform: Platform,
  { port, host = '127.0.0.1', ...options }: SiteServerOptions,
): Promise<RunningSiteServer> => {
  const { logger, baseUrl = 'http://localhost' } = options
  const readCertificate = createCertificateReader(platform)
  const server = createServer({
    minVersion: 'TLSv1.2',
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    SNICallback: (name, done) => {
      readCertificate(name).then(
        (context) => (context ? done(null, context) : done(new Error('No certificate'))),
        (error: unknown) => done(error instanceof Error ? error : new Error(getErrorCode(error))),
      )
    },
  })
  server.maxConnections = 2_000
  const app = createSitesApp(platform, options, { url: baseUrl.replace(/\/+$/, '') })
  const listener = createListener(platform, options, { app })
  server.on('request', (request, response) => {
    const { socket } = request
    const name = socket instanceof TLSSocket ? socket.servername : undefined
    const requested = URL.parse(`https://${request.headers.host ?? ''}`)?.hostname
    if (typeof name === 'string' && requested === name.toLowerCase()) listener(request, response)
    else response.writeHead(421, { 'Content-Type': 'text/plain' }).end('Misdirected Request\n')
  })
  const actual = await listen(server, port, host)
  server.on('error', (error) => logger?.error({ error: describeError(error) }, 'sites'))
  return {
    port: actual,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
