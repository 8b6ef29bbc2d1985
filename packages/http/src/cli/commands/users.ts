import { type AnyCommand, itemCommand, listCommand } from '../command.ts'
import { switchOption, textOption } from '../option-types.ts'
import { readPassword } from '../standard-input.ts'

const columns = ['id', 'username', 'name', 'email', 'state', 'admin'] as const

export const userCommands: readonly AnyCommand[] = [
  listCommand({
    usage: 'user list',
    description: 'list users',
    options: { username: textOption('--username <name>', 'only the user with this username') },
    examples: ['forgelet user list', 'forgelet user list --data ./forge.db --json'],
    noun: 'users',
    columns,
    read: ({ users }, { options, paging }) => users.list({ ...paging, username: options.username }),
  }),
  itemCommand({
    usage: 'user create [username]',
    description: 'create a user',
    options: {
      username: textOption('--username <name>', 'name for sign-in and mentions, instead of the argument'),
      name: textOption('--name <text>', 'full name (default: the username)'),
      email: textOption('--email <address>', 'email address (default: one that cannot receive messages)'),
      admin: switchOption('--admin', 'make the user an administrator'),
      external: switchOption('--external', 'restrict access to internal projects to those the user is a member of'),
    },
    positional: 'username',
    required: ['username'],
    createsData: true,
    examples: [
      'forgelet user create alice --name "Alice Liddell" --email alice@example.com',
      'forgelet user create --username root --admin --json',
    ],
    run: ({ users }, { options: { username = '', name, email, admin, external } }) =>
      users.create({ username, name, email, admin, external }),
    print: ['id', 'username', 'name', 'email'],
    report: ({ username }, { location, retained }) =>
      `Added to ${location}. Next: forgelet token create --user ${username}${retained}`,
  }),
  itemCommand({
    usage: 'user update <username>',
    description: 'change a user; omitted options stay unchanged',
    options: {
      username: textOption('--username <name>', 'new name for sign-in and mentions; the old one stops working'),
      name: textOption('--name <text>', 'full name'),
      email: textOption('--email <address>', 'e-mail address'),
    },
    examples: ['forgelet user update alice --email alice@example.com', 'forgelet user update alice --username al'],
    run: ({ users }, { args: [user = ''], options: { username, name, email } }) =>
      users.update({ user, username, name, email }),
    print: columns,
  }),
  itemCommand({
    usage: 'user promote <username>',
    description: 'make a user an administrator, or a regular user again',
    options: { undo: switchOption('--undo', 'make the user a regular user again') },
    examples: ['forgelet user promote alice', 'forgelet user promote alice --undo'],
    run: ({ users }, { args: [user = ''], options: { undo = false } }) => users.update({ user, admin: !undo }),
    print: columns,
  }),
  itemCommand({
    usage: 'user remove <username>',
    description: 'remove a user; contributions are kept in the name of a ghost user',
    options: {
      hardDelete: switchOption('--hard-delete', 'remove the contributions and personal projects, too'),
      force: switchOption('--force', 'confirm the removal (required)'),
    },
    required: ['force'],
    examples: ['forgelet user remove mallory --force', 'forgelet user remove mallory --hard-delete --force'],
    run: ({ users }, { args: [user = ''], options: { hardDelete } }) => users.remove({ user, hardDelete }),
    report: (_, { args, location }) => `Removed ${args[0]} from ${location}.`,
  }),
  itemCommand({
    usage: 'user block <username>',
    description: 'block a user: requests with their tokens are rejected',
    examples: ['forgelet user block mallory'],
    run: ({ users }, { args: [user = ''] }) => users.block({ user }),
    print: columns,
  }),
  itemCommand({
    usage: 'user unblock <username>',
    description: 'unblock a user',
    examples: ['forgelet user unblock mallory'],
    run: ({ users }, { args: [user = ''] }) => users.unblock({ user }),
    print: columns,
  }),
  itemCommand({
    usage: 'user password <username>',
    description: 'set the password with which a user signs in to the pages; reads it from standard input',
    options: { remove: switchOption('--remove', 'remove the password instead') },
    examples: ['forgelet user password alice < password.txt', 'forgelet user password alice --remove'],
    run: async ({ passwords }, { args: [user = ''], options: { remove } }) => {
      if (remove) await passwords.remove({ user })
      else await passwords.set({ user, password: await readPassword() })
      return { user, removed: remove }
    },
    report: ({ user, removed }, { location }) =>
      removed
        ? `Removed the password of ${user} in ${location}.`
        : `Set the password of ${user} in ${location}. Sessions that began with an earlier one have ended.`,
  }),
]
