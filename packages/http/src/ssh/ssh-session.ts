import type { Call, Platform } from '@forgelet/core'
import type { ServerChannel, Session as SshSession } from 'ssh2'
import type { Logger } from '../app/app-options.ts'
import { parseProtocolVersion } from '../git/protocol-version.ts'
import { converse, type SshCaller } from './ssh-conversation.ts'

interface SessionOptions {
  readonly platform: Platform
  readonly caller: SshCaller
  readonly call: Call
  readonly logger: Logger | undefined
}

/** Answers the requests of one session of a connection. */
export const serveSession = (session: SshSession, options: SessionOptions): void => {
  let protocolVersion: 1 | 2 | undefined

  const run = async (channel: ServerChannel, command: string | undefined) => {
    channel.on('error', () => undefined)
    const status = await converse({
      ...options,
      command,
      protocolVersion,
      input: () => channel.iterator({ destroyOnReturn: false }),
      output: channel,
      messages: channel.stderr,
    })
    if (!channel.writable) return
    channel.exit(status)
    channel.end()
  }

  session.on('env', (accept, reject, { key, val }) => {
    if (key !== 'GIT_PROTOCOL') return reject?.()
    protocolVersion = parseProtocolVersion(val)
    accept?.()
  })
  session.on('exec', (accept, _reject, { command }) => void run(accept(), command))
  session.on('shell', (accept) => void run(accept(), undefined))
}
