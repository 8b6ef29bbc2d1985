import type { Platform } from '@forgelet/core'
import { command } from './command.ts'
import { tokenFlags } from './options.ts'
import { UsageError } from './usage-error.ts'

/** The words are checked by the platform. */
type Scopes = Parameters<Platform['tokens']['create']>[0]['scopes']

/** `forgelet token create`: prints the secret, and nothing else, on stdout. */
export const tokenCreateCommand = command({
  name: 'token create',
  says: 'issue a personal access token',
  positionals: [],
  flags: tokenFlags,
  examples: [
    'forgelet token create --user alice',
    'TOKEN=$(forgelet token create --user alice --name ci --scopes read_api --expires-at 2030-12-31)',
  ],
  async run({ values: { user, name, scopes, expiresAt, json, ...data }, written }) {
    if (user === undefined) throw new UsageError('--user is missing')
    const { openPlatform } = await import('./open-platform.ts')
    const { refused } = await import('./refused.ts')
    const { platform, where } = await openPlatform(data, written)
    try {
      const token = await platform.as({ system: 'command line' }).tokens.create({
        user,
        name,
        ...(scopes && { scopes: scopes as Scopes }),
        ...(expiresAt !== undefined && { expiresAt }),
      })
      process.stdout.write(`${json ? JSON.stringify(token, undefined, 2) : token.secret}\n`)
      const end = token.expiresAt === null ? 'without end' : `until ${token.expiresAt}`
      process.stderr.write(
        `Token '${token.name}' of ${user}, ${end}, for ${token.scopes.join(', ')}, in ${where}. It is shown this once.\n`,
      )
    } catch (error) {
      throw refused(error)
    } finally {
      await platform.close()
    }
  },
})
