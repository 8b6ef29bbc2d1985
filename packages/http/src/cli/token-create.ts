import type { Platform } from '@forgelet/core'
import { UsageError } from './cli-error.ts'
import type { Invocation } from './invocation.ts'
import type { tokenOptions } from './options.ts'

/** The platform validates the names of scopes. */
type Scopes = Parameters<Platform['tokens']['create']>[0]['scopes']

/** Prints nothing but the secret on stdout, for `TOKEN=$(…)`. */
export const tokenCreateCommand = async ({ options }: Invocation<typeof tokenOptions>): Promise<void> => {
  const { user, name, scopes, expiresAt, json } = options
  if (user === undefined) throw new UsageError('--user is missing')
  const { openPlatform } = await import('./open-platform.ts')
  const { toCliError } = await import('./platform-errors.ts')
  const { platform, location } = await openPlatform(options)
  try {
    const token = await platform.as({ system: 'command line' }).tokens.create({
      user,
      name,
      ...(scopes && { scopes: scopes as Scopes }),
      ...(expiresAt !== undefined && { expiresAt }),
    })
    process.stdout.write(`${json ? JSON.stringify(token, undefined, 2) : token.secret}\n`)
    const expiry = token.expiresAt === null ? 'without expiry' : `until ${token.expiresAt}`
    process.stderr.write(
      `Token '${token.name}' of ${user}, ${expiry}, with the scopes ${token.scopes.join(', ')}, in ${location}. It cannot be shown again.\n`,
    )
  } catch (error) {
    throw toCliError(error)
  } finally {
    await platform.close()
  }
}
