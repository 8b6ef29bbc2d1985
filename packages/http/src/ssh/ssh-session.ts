import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Call, isPlatformError, type Platform } from '@forgelet/core'
import type { ServerChannel, Session as SshSession } from 'ssh2'
import type { Logger } from '../app/app-options.ts'
import { describeError } from '../app/error-text.ts'
import { findMoved } from '../app/moved.ts'
import { describeGitError } from '../git/git-errors.ts'
import { parseProtocolVersion } from '../git/protocol-version.ts'
import { type GitCommand, parseGitCommand } from './ssh-command.ts'

/** Who the connection belongs to. */
export interface SshCaller {
  readonly identity: { readonly sshKey: string }
  /** Null for a deploy key whose creator was removed. */
  readonly username: string | null
}

interface SessionOptions {
  readonly platform: Platform
  readonly caller: SshCaller
  readonly call: Call
  readonly logger: Logger | undefined
}

const close = (channel: ServerChannel, code: number) => {
  channel.exit(code)
  channel.end()
}

const refuse = (channel: ServerChannel, message: string) => {
  channel.stderr.write(`ERROR: ${message}\n`)
  close(channel, 1)
}

type Serve = (command: GitCommand, channel: ServerChannel, protocolVersion: 1 | 2 | undefined) => Promise<Readable>

/** A project that was renamed or moved is served from its present place, with a notice. */
const createServe =
  ({ platform, caller, call }: SessionOptions): Serve =>
  async ({ service, project }, channel, protocolVersion) => {
    const { gitTransport } = platform.as(caller.identity, call)
    const serve = (path: string) => {
      // The channel stays open for the report after the request has been read.
      const body = channel.iterator({ destroyOnReturn: false })
      return service === 'receive-pack'
        ? gitTransport.servePush({ project: path, body })
        : gitTransport.serveFetch({ project: path, body, ...(protocolVersion && { protocolVersion }) })
    }
    try {
      return await serve(project)
    } catch (error) {
      if (!isPlatformError(error) || error.code !== 'not_found') throw error
      const moved = await findMoved(platform.as(caller.identity, call), project)
      if (moved === undefined) throw error
      channel.stderr.write(`The project was moved to ${moved.fullPath}: change the URL of your remote.\n`)
      return serve(moved.fullPath)
    }
  }

/** Answers the requests of one session: git commands, and a greeting for `ssh -T`. There is no shell and no other program. */
export const serveSession = (session: SshSession, options: SessionOptions): void => {
  const { caller, logger } = options
  const serve = createServe(options)
  let protocolVersion: 1 | 2 | undefined

  const run = async (command: GitCommand, channel: ServerChannel) => {
    const start = performance.now()
    const log = (more: object) =>
      logger?.info({
        protocol: 'ssh',
        ...command,
        username: caller.username,
        milliseconds: Math.round(performance.now() - start),
        ...more,
      })
    try {
      await pipeline(await serve(command, channel, protocolVersion), channel, { end: false })
      close(channel, 0)
      log({})
    } catch (error) {
      log({ error: isPlatformError(error) ? error.code : 'failed' })
      // A client that disconnects is not an error of the server.
      if (!channel.writable) return
      if (!isPlatformError(error)) logger?.error({ ...command, error: describeError(error) }, 'git over SSH failed')
      refuse(channel, describeGitError(error, command.service))
    }
  }

  session.on('env', (accept, reject, { key, val }) => {
    if (key !== 'GIT_PROTOCOL') return reject?.()
    protocolVersion = parseProtocolVersion(val)
    accept?.()
  })
  session.on('exec', (accept, _reject, { command }) => {
    const channel = accept()
    channel.on('error', () => undefined)
    const gitCommand = parseGitCommand(command)
    if (gitCommand === undefined) return refuse(channel, 'Only git fetch and git push are available over SSH.')
    void run(gitCommand, channel)
  })
  session.on('shell', (accept) => {
    const channel = accept()
    channel.on('error', () => undefined)
    channel.write(`Welcome to Forgelet, ${caller.username === null ? 'deploy key' : `@${caller.username}`}!\n`)
    close(channel, 0)
  })
}
