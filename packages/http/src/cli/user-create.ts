import { UsageError } from './cli-error.ts'
import type { Invocation } from './invocation.ts'
import type { userOptions } from './options.ts'
import { table } from './table.ts'

/** Prints the created user. */
export const userCreateCommand = async ({ options }: Invocation<typeof userOptions>): Promise<void> => {
  const { username, name, email, admin = false, external = false, json } = options
  if (username === undefined) throw new UsageError('--username is missing')
  const { openPlatform } = await import('./open-platform.ts')
  const { toCliError } = await import('./platform-errors.ts')
  const { platform, location } = await openPlatform(options)
  try {
    const user = await platform.as({ system: 'command line' }).users.create({
      username,
      admin,
      external,
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
    })
    const row = [String(user.id), user.username, user.name, user.email]
    const readable = table(['id', 'username', 'name', 'email'], [row], process.stdout)
    process.stdout.write(json ? `${JSON.stringify(user, undefined, 2)}\n` : readable)
    process.stderr.write(`Added to ${location}. Next: forgelet token create --user ${user.username}\n`)
  } catch (error) {
    throw toCliError(error)
  } finally {
    await platform.close()
  }
}
