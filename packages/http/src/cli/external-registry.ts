import { readFileSync } from 'node:fs'
import { ociRegistry, type Platform, type Ports } from '@forgelet/core'
import { CliError, UsageError } from './cli-error.ts'
import { codeOf, fileErrorMessage } from './file-errors.ts'
import type { ServeCommandOptions } from './options.ts'

/** Reads `name:password` in one line; the password may contain colons, the name may not (RFC 7617, section 2). */
const readCredentials = (path: string): { readonly username: string; readonly password: string } => {
  let line: string
  try {
    line = readFileSync(path, 'utf8').trim()
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? 'it does not exist' : fileErrorMessage(error)
    throw new CliError(`The credentials file ${path} cannot be used: ${reason}`)
  }
  const colon = line.indexOf(':')
  if (colon < 1 || colon === line.length - 1 || line.includes('\n')) {
    throw new CliError(`The credentials file ${path} cannot be used: it must contain one line, name:password`)
  }
  return { username: line.slice(0, colon), password: line.slice(colon + 1) }
}

/**
 * The registry that the options select; undefined for the registry in the database.
 *
 * @throws UsageError for options that require a URL, and for a URL with credentials
 * @throws CliError if the credentials file cannot be used
 */
export const externalRegistry = ({
  registryUrl: url,
  registryHost: host,
  registryCredentials: file,
}: ServeCommandOptions): Ports['registry'] | undefined => {
  if (url === undefined) {
    if (host !== undefined) throw new UsageError('--registry-host requires --registry-url')
    if (file !== undefined) throw new UsageError('--registry-credentials requires --registry-url')
    return undefined
  }
  // All users of this machine can read the arguments of a process.
  const { username, password } = new URL(url)
  if (username !== '' || password !== '') {
    throw new UsageError('--registry-url must not contain credentials: use --registry-credentials')
  }
  return ociRegistry({
    url,
    ...(host !== undefined && { host }),
    ...(file !== undefined && { credentials: readCredentials(file) }),
  })
}

const hour = 3_600_000

/**
 * Discovers repositories that were pushed to the registry directly: now and once per hour.
 *
 * @returns a function that stops it
 */
export const discoverHourly = async (platform: Platform, onError: (error: unknown) => void): Promise<() => void> => {
  const { containerRepositories } = platform.as({ system: 'command line' })
  const discover = () => containerRepositories.discover().catch(onError)
  await discover()
  const timer = setInterval(() => void discover(), hour)
  timer.unref()
  return () => clearInterval(timer)
}
