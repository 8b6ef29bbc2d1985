import { command } from './command.ts'
import { userFlags } from './options.ts'
import { table } from './table.ts'
import { UsageError } from './usage-error.ts'

/** `forgelet user create`: adds a user and prints it. */
export const userCreateCommand = command({
  name: 'user create',
  says: 'add a user',
  positionals: [],
  flags: userFlags,
  examples: [
    'forgelet user create --username alice --name "Alice Liddell" --email alice@example.com',
    'forgelet user create --username root --admin --json',
  ],
  async run({ values: { username, name, email, admin, external, json, ...data }, written }) {
    if (username === undefined) throw new UsageError('--username is missing')
    const { openPlatform } = await import('./open-platform.ts')
    const { refused } = await import('./refused.ts')
    const { platform, where } = await openPlatform(data, written)
    try {
      const user = await platform.as({ system: 'command line' }).users.create({
        username,
        admin,
        external,
        ...(name !== undefined && { name }),
        ...(email !== undefined && { email }),
      })
      const row = [String(user.id), user.username, user.name, user.email]
      const human = table(['id', 'username', 'name', 'email'], [row], process.stdout)
      process.stdout.write(json ? `${JSON.stringify(user, undefined, 2)}\n` : human)
      process.stderr.write(`Added to ${where}. Next: forgelet token create --user ${user.username}\n`)
    } catch (error) {
      throw refused(error)
    } finally {
      await platform.close()
    }
  },
})
