import { type AddressInfo, createServer, type Socket } from 'node:net'
import { isPlatformError, type Platform } from '@forgelet/core'
import { assertOptions, optionNames } from '@forgelet/core/operations'
import type { AuthContext, Connection, PublicKeyAuthContext } from 'ssh2'
import type { Logger } from '../app/app-options.ts'
import { describeError } from '../app/error-text.ts'
import { toFingerprint } from './fingerprint.ts'
import { generateHostKey } from './host-key.ts'
import { loadSsh2 } from './load-ssh2.ts'
import type { SshCaller } from './ssh-conversation.ts'
import { serveSession } from './ssh-session.ts'

/** Options of a server for git over SSH. */
export interface SshOptions {
  /** 0 selects a free port. Default 2222. */
  readonly port?: number
  /** The IP address to listen on. Default 127.0.0.1: only this machine. */
  readonly host?: string
  /** The private key of the server in the format of OpenSSH or PEM, without a passphrase. Default: a new one, for tests. */
  readonly hostKey?: string
  /** The URL of the HTTP API, for links in webhooks and mails that a push causes. */
  readonly baseUrl?: string
  /** Receives one line per command, and errors. Default: none. */
  readonly logger?: Logger
  /** Connections at the same time; further ones are closed. Default 1,000. */
  readonly maxConnections?: number
  /** Connections at the same time whose client is not signed in yet; further ones are closed. Default 100. */
  readonly maxUnauthenticated?: number
}

const optionsOfServer = optionNames<SshOptions>({
  port: true,
  host: true,
  hostKey: true,
  baseUrl: true,
  logger: true,
  maxConnections: true,
  maxUnauthenticated: true,
})

/** A listening server for git over SSH. */
export interface RunningSshServer {
  /** The beginning of the URLs of repositories: `ssh://git@127.0.0.1:2222`. */
  readonly url: string
  /** The actual port. */
  readonly port: number
  /** The public key of the server as a line of `known_hosts`, without the name of the host: `ssh-ed25519 AAAA…`. */
  readonly hostPublicKey: string
  /** Stops listening, and closes all connections after the running commands, at most 8 seconds later. */
  close(): Promise<void>
}

/** Milliseconds until a client must have signed in. */
const signInTimeout = 30_000
/** Milliseconds without a byte of an idle connection. Transfers have limits of their own. */
const idleTimeout = 15 * 60_000
/** Milliseconds that running commands can take during `close`. */
const closeTimeout = 8_000
/** Sign-in attempts per connection: clients offer all keys of their agent. */
const maxAttempts = 10
/** Sessions at the same time per connection. */
const maxSessions = 10

/** The only user name. The key determines the user. */
const username = 'git'

/** Whether the client has the private key. The first request of a client asks for the key only, without a signature. */
const hasValidSignature = ({ key, blob, signature, hashAlgo }: PublicKeyAuthContext): boolean => {
  if (signature === undefined || blob === undefined) return true
  const parsed = loadSsh2().utils.parseKey(key.data)
  if (parsed instanceof Error) return false
  return [parsed].flat().some((publicKey) => publicKey.verify(blob, signature, hashAlgo) === true)
}

/** Accepts the keys of users and deploy keys. */
const createAuthenticator = (platform: Platform, onError: (error: unknown) => void) => {
  let attempts = 0
  return async (context: AuthContext): Promise<SshCaller | undefined> => {
    attempts += 1
    if (context.method !== 'publickey' || context.username !== username || attempts > maxAttempts) return undefined
    if (!hasValidSignature(context)) return undefined
    const identity = { sshKey: toFingerprint(context.key.data) }
    try {
      const { keys } = platform.as(identity)
      const owner = await keys.getOwner()
      if (context.signature !== undefined) await keys.recordUse()
      return { identity, ...owner }
    } catch (error) {
      if (!isPlatformError(error)) onError(error)
      return undefined
    }
  }
}

/**
 * Serves git over SSH: `git clone ssh://git@localhost:2222/acme/web.git`. Users sign in with their SSH keys, programs with deploy keys.
 *
 * Requires the package `ssh2`.
 *
 * @throws TypeError for an unknown option
 * @throws Error if the package is not installed, the port is in use or the host key is invalid
 */
export const serveSsh = async (platform: Platform, options: SshOptions = {}): Promise<RunningSshServer> => {
  assertOptions('serveSsh', options, optionsOfServer)
  const { port = 2222, host = '127.0.0.1', hostKey = generateHostKey(), baseUrl, logger } = options
  const { maxConnections = 1_000, maxUnauthenticated = 100 } = options
  const ssh2 = loadSsh2()
  const hostPublicKey = [ssh2.utils.parseKey(hostKey)].flat()[0]
  if (hostPublicKey === undefined || hostPublicKey instanceof Error) throw new Error('The SSH host key is invalid')
  const logError = (error: unknown) => logger?.error({ error: describeError(error) }, 'SSH sign-in failed')
  /** Those that have begun the handshake, with the number of their running commands. */
  const connections = new Map<Connection, { commands: number }>()
  const unauthenticated = new Set<Socket>()
  let isClosing = false

  const closeIdle = () => {
    for (const [connection, { commands }] of connections) if (commands === 0) connection.end()
  }

  const accept = (connection: Connection, socket: Socket) => {
    const state = { commands: 0 }
    connections.set(connection, state)
    socket.once('close', () => connections.delete(connection))
    const authenticate = createAuthenticator(platform, logError)
    let caller: SshCaller | undefined
    connection.on('error', () => undefined)
    connection.on('authentication', (context) => {
      authenticate(context).then((found) => {
        // Without a signature, the client has only named a public key.
        if (context.method === 'publickey' && context.signature !== undefined) caller = found
        if (found) context.accept()
        else context.reject(['publickey'])
      }, logError)
    })
    connection.on('ready', () => {
      unauthenticated.delete(socket)
      socket.setTimeout(idleTimeout)
    })
    connection.on('session', (acceptSession, rejectSession) => {
      if (caller === undefined || isClosing || state.commands >= maxSessions) return rejectSession()
      state.commands += 1
      const session = acceptSession()
      const controller = new AbortController()
      session.on('close', () => {
        state.commands -= 1
        controller.abort()
        if (isClosing) closeIdle()
      })
      const call = {
        siteUrl: baseUrl,
        sshPort: socket.localPort,
        ipAddress: socket.remoteAddress,
        signal: () => controller.signal,
      }
      serveSession(session, { platform, caller, call, logger })
    })
  }

  /** The sockets by the address of their client. */
  const sockets = new Map<string, Socket>()
  const ssh = new ssh2.Server({ hostKeys: [hostKey], ident: 'Forgelet' }, (connection, { ip, port }) => {
    const socket = sockets.get(`${ip} ${port}`)
    if (socket === undefined) connection.end()
    else accept(connection, socket)
  })
  const server = createServer({ noDelay: true }, (socket) => {
    if (sockets.size >= maxConnections || unauthenticated.size >= maxUnauthenticated) {
      socket.destroy()
      return
    }
    unauthenticated.add(socket)
    socket.setTimeout(signInTimeout, () => socket.destroy())
    // A client that sends something now and then must not stay, either.
    const timer = setTimeout(() => unauthenticated.has(socket) && socket.destroy(), signInTimeout)
    const key = `${socket.remoteAddress} ${socket.remotePort}`
    sockets.set(key, socket)
    socket.once('close', () => {
      clearTimeout(timer)
      sockets.delete(key)
      unauthenticated.delete(socket)
    })
    ssh.injectSocket(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const actualPort = (server.address() as AddressInfo).port
  const urlHost = host.includes(':') ? `[${host}]` : host
  return {
    url: `ssh://git@${urlHost}:${actualPort}`,
    port: actualPort,
    hostPublicKey: `${hostPublicKey.type} ${hostPublicKey.getPublicSSH().toString('base64')}`,
    async close() {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const timer = setTimeout(() => {
        for (const socket of sockets.values()) socket.destroy()
      }, closeTimeout)
      for (const socket of unauthenticated) socket.destroy()
      closeIdle()
      await closed
      clearTimeout(timer)
    },
  }
}
