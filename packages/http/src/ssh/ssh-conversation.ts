import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Call, isPlatformError, type Platform } from '@forgelet/core'
import type { Logger } from '../app/app-options.ts'
import { describeError } from '../app/error-text.ts'
import { findMoved } from '../app/moved.ts'
import { describeGitError } from '../git/git-errors.ts'
import { type GitCommand, parseGitCommand } from './ssh-command.ts'

/** Who the connection belongs to. */
export interface SshCaller {
  readonly identity: { readonly sshKey: string }
  /** Null for a deploy key whose creator was removed. */
  readonly username: string | null
}

/** What a client asks for in one session, with its streams: those of a channel, or of a process that OpenSSH started. */
export interface SshConversation {
  readonly platform: Platform
  readonly caller: SshCaller
  readonly call: Call
  readonly logger: Logger | undefined
  /** Undefined for a shell. */
  readonly command: string | undefined
  readonly protocolVersion: 1 | 2 | undefined
  /** The output stays open for the report after the input was read. */
  readonly input: () => AsyncIterable<Uint8Array>
  readonly output: Writable
  /** Shown to the user of the client. */
  readonly messages: Writable
}

/** A project that was renamed or moved is served from its present place, with a notice. */
const serve = async (
  { platform, caller, call, protocolVersion, input, messages }: SshConversation,
  { service, project }: GitCommand,
) => {
  const session = platform.as(caller.identity, call)
  const start = (path: string) =>
    service === 'receive-pack'
      ? session.gitTransport.servePush({ project: path, body: input() })
      : session.gitTransport.serveFetch({ project: path, body: input(), ...(protocolVersion && { protocolVersion }) })
  try {
    return await start(project)
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'not_found') throw error
    const moved = await findMoved(session, project)
    if (moved === undefined) throw error
    messages.write(`The project was moved to ${moved.fullPath}: change the URL of your remote.\n`)
    return start(moved.fullPath)
  }
}

const runGit = async (conversation: SshConversation, command: GitCommand): Promise<number> => {
  const { logger, caller, output, messages } = conversation
  const start = performance.now()
  const log = (more: object) => {
    const milliseconds = Math.round(performance.now() - start)
    logger?.info({ protocol: 'ssh', ...command, username: caller.username, milliseconds, ...more })
  }
  try {
    await pipeline(await serve(conversation, command), output, { end: false })
    log({})
    return 0
  } catch (error) {
    log({ error: isPlatformError(error) ? error.code : 'failed' })
    // A client that disconnects is not an error of the server.
    if (!output.writable) return 1
    if (!isPlatformError(error)) logger?.error({ ...command, error: describeError(error) }, 'git over SSH failed')
    messages.write(`ERROR: ${describeGitError(error, command.service)}\n`)
    return 1
  }
}

/** Reads the owner again: the key can have been removed since the client signed in. */
const greet = async ({ platform, caller, call, output, messages }: SshConversation): Promise<number> => {
  try {
    const { username } = await platform.as(caller.identity, call).keys.getOwner()
    output.write(`Welcome to Forgelet, ${username === null ? 'deploy key' : `@${username}`}!\n`)
    return 0
  } catch (error) {
    messages.write(`ERROR: ${isPlatformError(error) ? error.message : describeGitError(error, 'upload-pack')}\n`)
    return 1
  }
}

/**
 * Serves a git command, or greets a client that asks for a shell. There is no shell and no other program.
 *
 * @returns the exit status for the client
 */
export const converse = async (conversation: SshConversation): Promise<number> => {
  const { command, messages } = conversation
  if (command === undefined) return greet(conversation)
  const gitCommand = parseGitCommand(command)
  if (gitCommand !== undefined) return runGit(conversation, gitCommand)
  messages.write('ERROR: Only git fetch and git push are available over SSH.\n')
  return 1
}
