import { ociRegistry, type Platform, type Ports } from '@forgelet/core'
import type { AppOptions } from '../app/app-options.ts'
import { UsageError } from './cli-error.ts'
import { readCredentialsFile, readSecretFile } from './credentials-file.ts'
import type { ServeCommandOptions } from './options.ts'

type RegistryOptions = Partial<
  Pick<
    ServeCommandOptions,
    'registryUrl' | 'registryHost' | 'registryCredentials' | 'registryNotificationSecret' | 'registryTokens'
  >
>

/** The platform that issues the tokens of the registry, once it is open. */
export interface RegistryTokenSource {
  platform?: Platform
}

/**
 * The registry that the options select; undefined for the registry in the database.
 *
 * @throws UsageError for options that require a URL, and for a URL with credentials
 * @throws CliError if the credentials file cannot be used
 */
export const externalRegistry = (
  {
    registryUrl: url,
    registryHost: host,
    registryCredentials: file,
    registryNotificationSecret: secretFile,
    registryTokens,
  }: RegistryOptions,
  source: RegistryTokenSource,
): Ports['registry'] | undefined => {
  if (registryTokens && file !== undefined) {
    throw new UsageError('Use either --registry-tokens or --registry-credentials')
  }
  if (url === undefined) {
    if (registryTokens) throw new UsageError('--registry-tokens requires --registry-url')
    if (host !== undefined) throw new UsageError('--registry-host requires --registry-url')
    if (file !== undefined) throw new UsageError('--registry-credentials requires --registry-url')
    if (secretFile !== undefined) throw new UsageError('--registry-notification-secret requires --registry-url')
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
    ...(file !== undefined && { credentials: readCredentialsFile(file) }),
    ...(registryTokens && {
      createToken: async (scopes) => {
        const token = await source.platform?.as({ system: 'container registry' }).registryTokens.create({ scopes })
        return token?.token ?? ''
      },
    }),
  })
}

/**
 * The secret of the registry's notifications, from the file that the options name.
 *
 * @throws CliError if the file cannot be used
 */
export const readNotificationSecret = ({
  registryNotificationSecret: file,
}: ServeCommandOptions): Pick<AppOptions, 'registryNotificationSecret'> =>
  file === undefined ? {} : { registryNotificationSecret: readSecretFile(file) }

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
