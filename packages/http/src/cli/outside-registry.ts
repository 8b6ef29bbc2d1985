import { readFileSync } from 'node:fs'
import { ociRegistry, type Platform, type Ports } from '@forgelet/core'
import { Failure } from './failure.ts'
import { codeOf, fileFault } from './file-faults.ts'
import { UsageError } from './usage-error.ts'

interface RegistryFlags {
  readonly registryUrl: string | undefined
  readonly registryHost: string | undefined
  readonly registryCredentials: string | undefined
}

/** `name:password`, as one line: a password may hold colons, a name none (RFC 7617, section 2). */
const credentialsIn = (path: string): { readonly username: string; readonly password: string } => {
  let line: string
  try {
    line = readFileSync(path, 'utf8').trim()
  } catch (error) {
    const fault = codeOf(error) === 'ENOENT' ? 'it does not exist' : fileFault(error)
    throw new Failure(`The credentials file ${path} cannot be used: ${fault}`)
  }
  const colon = line.indexOf(':')
  if (colon < 1 || colon === line.length - 1 || line.includes('\n')) {
    throw new Failure(`The credentials file ${path} cannot be used: it has to hold one line, name:password`)
  }
  return { username: line.slice(0, colon), password: line.slice(colon + 1) }
}

/**
 * The registry that the flags name; undefined where they name none.
 *
 * @throws UsageError for flags that mean nothing without an address, or an address with a password
 * @throws Failure when the file of credentials cannot be used
 */
export const outsideRegistry = ({
  registryUrl: url,
  registryHost: host,
  registryCredentials: file,
}: RegistryFlags): Ports['registry'] | undefined => {
  if (url === undefined) {
    if (host !== undefined) throw new UsageError('--registry-host needs --registry-url')
    if (file !== undefined) throw new UsageError('--registry-credentials needs --registry-url')
    return undefined
  }
  // It would stand in the list of processes, for everybody on this machine.
  const { username, password } = new URL(url)
  if (username !== '' || password !== '') {
    throw new UsageError('--registry-url holds no password: give it in --registry-credentials')
  }
  return ociRegistry({
    url,
    ...(host !== undefined && { host }),
    ...(file !== undefined && { credentials: credentialsIn(file) }),
  })
}

const hour = 3_600_000

/** Has repositories found that were pushed to the registry: now, and every hour. Returns what ends it. */
export const discoverHourly = async (platform: Platform, failed: (error: unknown) => void): Promise<() => void> => {
  const { containerRepositories } = platform.as({ system: 'command line' })
  await containerRepositories.discover()
  const timer = setInterval(() => void containerRepositories.discover().catch(failed), hour)
  timer.unref()
  return () => clearInterval(timer)
}
