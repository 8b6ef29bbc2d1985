import type { Access } from '@forgelet/core'
import { type AnyCommand, itemCommand, listCommand } from '../command.ts'
import { futureDateOption, optionalChoiceOption, switchOption } from '../option-types.ts'
import { findContainer } from './containers.ts'

// Not the value of the library, which the start of the command must not load.
const levels = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const satisfies Omit<
  typeof Access,
  'none'
>

const roles = Object.keys(levels) as readonly (keyof typeof levels)[]

const columns = ['id', 'username', 'name', 'access', 'expiresAt'] as const

const membershipOptions = {
  access: optionalChoiceOption('--access <role>', 'role of the member (required)', roles),
  expiresAt: futureDateOption('--expires-at <date>', 'first day on which the membership has expired (default: never)'),
}

const withRole = <T extends { readonly accessLevel: number }>(member: T) => ({
  ...member,
  access: roles.find((role) => levels[role] === member.accessLevel) ?? String(member.accessLevel),
})

export const memberCommands: readonly AnyCommand[] = [
  listCommand({
    usage: 'member list <path>',
    description: 'list the members of a group or project',
    options: { all: switchOption('--all', 'include inherited members and those of invited groups') },
    examples: ['forgelet member list acme', 'forgelet member list acme/web --all --json'],
    noun: 'members',
    columns,
    read: async (session, { args: [path], options: { all }, paging }) => {
      const page = await session.members.list({ ...(await findContainer(session, path)), inherited: all, ...paging })
      return { ...page, items: page.items.map(withRole) }
    },
  }),
  itemCommand({
    usage: 'member add <path> <username>',
    description: 'add a user to a group or project',
    options: membershipOptions,
    required: ['access'],
    examples: ['forgelet member add acme alice --access owner'],
    run: async (session, { args: [path, user = ''], options: { access = 'guest', expiresAt } }) => {
      const container = await findContainer(session, path)
      await session.members.add({ ...container, users: [user], accessLevel: levels[access], expiresAt })
      return withRole(await session.members.get({ ...container, user }))
    },
    print: columns,
  }),
  itemCommand({
    usage: 'member update <path> <username>',
    description: 'change the role of a member',
    options: membershipOptions,
    required: ['access'],
    examples: ['forgelet member update acme alice --access maintainer'],
    run: async (session, { args: [path, user = ''], options: { access = 'guest', expiresAt } }) => {
      const container = await findContainer(session, path)
      return withRole(await session.members.update({ ...container, user, accessLevel: levels[access], expiresAt }))
    },
    print: columns,
  }),
  itemCommand({
    usage: 'member sync <group> <username>',
    description: 'add a member with the role that a user directory has, or update the role unless it is overridden',
    options: { access: membershipOptions.access },
    required: ['access'],
    examples: ['forgelet member sync acme alice --access developer'],
    run: async ({ members }, { args: [group = '', user = ''], options: { access = 'guest' } }) =>
      withRole(await members.sync({ group, user, accessLevel: levels[access] })),
    print: columns,
  }),
  itemCommand({
    usage: 'member remove <path> <username>',
    description: 'remove a member from a group or project',
    examples: ['forgelet member remove acme alice'],
    run: async (session, { args: [path, user = ''] }) =>
      session.members.remove({ ...(await findContainer(session, path)), user }),
    report: (_, { args }) => `Removed ${args[1]} from ${args[0]}.`,
  }),
]
