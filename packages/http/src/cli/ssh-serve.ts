import { isPlatformError, type Platform } from '@forgelet/core'
import { describeGitError } from '../git/git-errors.ts'
import { parseProtocolVersion } from '../git/protocol-version.ts'
import { converse } from '../ssh/ssh-conversation.ts'
import { UsageError } from './cli-error.ts'
import type { Invocation } from './invocation.ts'
import { openPlatform } from './open-platform.ts'
import type { sshServeOptions } from './options.ts'

/** `SSH_CONNECTION` is the address and port of the client, and those of the server. */
const readConnection = ({ SSH_CONNECTION = '' }: NodeJS.ProcessEnv) => {
  const [ipAddress, , , sshPort] = SSH_CONNECTION.split(' ')
  return sshPort === undefined ? {} : { ipAddress, sshPort: Number(sshPort) }
}

const serve = async (platform: Platform, sshKey: string, siteUrl: string | undefined): Promise<number> => {
  const { SSH_ORIGINAL_COMMAND: command, GIT_PROTOCOL } = process.env
  const identity = { sshKey }
  const { keys } = platform.as(identity)
  const { username } = await keys.getOwner()
  await keys.recordUse()
  return converse({
    platform,
    caller: { identity, username },
    call: { siteUrl, ...readConnection(process.env) },
    logger: undefined,
    command,
    protocolVersion: parseProtocolVersion(GIT_PROTOCOL),
    input: () => process.stdin.iterator({ destroyOnReturn: false }),
    output: process.stdout,
    messages: process.stderr,
  })
}

/** Serves one command of a client whose key sshd has verified. Ends the process with the status for the client. */
export const sshServeCommand = async ({ options }: Invocation<typeof sshServeOptions>): Promise<void> => {
  const sshKey = /^SHA256:([A-Za-z0-9+/]{43})$/.exec(options.key ?? '')?.[1]
  if (sshKey === undefined) throw new UsageError('--key must be a fingerprint: SHA256:…')
  const { platform } = await openPlatform(options, {}, { existing: true, quiet: true })
  const status = await serve(platform, sshKey, options.baseUrl).catch((error) => {
    const text = isPlatformError(error) ? error.message : describeGitError(error, 'upload-pack')
    process.stderr.write(`ERROR: ${text}\n`)
    return 1
  })
  await platform.close()
  // The open input would keep the process alive.
  process.exit(status)
}
