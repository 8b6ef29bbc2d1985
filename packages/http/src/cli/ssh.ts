import { resolve } from 'node:path'
import type { Platform } from '@forgelet/core'
import type { Logger } from '../app/app-options.ts'
import { messageOf } from '../app/error-text.ts'
import type { RunningSshServer } from '../ssh/ssh-server.ts'
import { CliError, UsageError } from './cli-error.ts'
import type { ServeCommandOptions } from './options.ts'

/** Where the server keeps the key that its clients trust, unless an option names a file; undefined without a place. */
const findHostKeyFile = ({ sshHostKey, database, data }: ServeCommandOptions): string | undefined => {
  if (sshHostKey !== undefined) return sshHostKey
  if (database !== undefined) throw new UsageError('--ssh-port with --database requires --ssh-host-key')
  return data === ':memory:' ? undefined : `${resolve(data)}.ssh_host_key`
}

/** @throws UsageError for options of SSH that require others */
export const assertSshOptions = (options: ServeCommandOptions): void => {
  if (options.sshPort !== undefined) findHostKeyFile(options)
  else if (options.sshHostKey !== undefined) throw new UsageError('--ssh-host-key requires --ssh-port')
}

/**
 * Starts the server for git over SSH that the options select.
 *
 * @returns undefined without one
 * @throws CliError if the package `ssh2` is missing, the key cannot be used, or the port is taken
 */
export const startSsh = async (
  platform: Platform,
  options: ServeCommandOptions,
  logger: Logger,
): Promise<RunningSshServer | undefined> => {
  const { sshPort: port, host, baseUrl } = options
  if (port === undefined) return undefined
  const { readHostKey, serveSsh } = await import('../ssh-entry.ts')
  const file = findHostKeyFile(options)
  try {
    const hostKey = file === undefined ? {} : { hostKey: await readHostKey(file) }
    return await serveSsh(platform, { port, host, logger, ...hostKey, ...(baseUrl !== undefined && { baseUrl }) })
  } catch (error) {
    throw new CliError(`Git over SSH cannot be served on ${host}, port ${port}: ${messageOf(error)}`)
  }
}
