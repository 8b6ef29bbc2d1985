import { PlatformError } from '@forgelet/core'
import { GroupWire } from '../../shapes/group.ts'
import { ProjectDetailsWire, ProjectWire } from '../../shapes/project.ts'
import { ListedUserWire, UserSummaryWire, UserWire } from '../../shapes/user.ts'
import { readConnection, sliceConnection } from '../connection.ts'
import { parseIdOf } from '../global-id.ts'
import type { Resolvers } from '../resolver.ts'
import { readGroup } from './containers.ts'

const withSearch = (search: unknown) => (search == null ? {} : { search: search as string })

/** The fields at which queries begin. */
export const queryResolvers: Resolvers = {
  currentUser: async (_source, _args, { session, site }) => UserWire(await session.users.current(), site),
  async user(_source, { id, username }, { session, site }) {
    if ((id == null) === (username == null))
      throw new PlatformError('invalid_input', 'Provide either a username or an id')
    const user = id == null ? (username as string) : parseIdOf('User', id)
    return UserSummaryWire(await session.users.profile({ user }), site)
  },
  async users(_source, { usernames, search, ...args }, { session, site }) {
    if (usernames == null)
      return readConnection(args, ListedUserWire, site, (window) =>
        session.users.find({ ...withSearch(search), ...window }),
      )
    const names = [...new Set(usernames as string[])].slice(0, 100)
    const pages = await Promise.all(names.map((username) => session.users.find({ username })))
    return sliceConnection(
      args,
      pages.flatMap(({ items }) => items.map((user) => ListedUserWire(user, site))),
    )
  },
  project: async (_source, { fullPath }, { session, site }) =>
    ProjectDetailsWire(await session.projects.details({ project: fullPath as string }), site),
  projects: (_source, { search, membership, ...args }, { session, site }) =>
    readConnection(args, ProjectWire, site, (window) =>
      session.projects.list({ ...withSearch(search), membership: membership === true, ...window }),
    ),
  group: (_source, { fullPath }, context) => readGroup(fullPath as string, context),
  groups: (_source, { search, ...args }, { session, site }) =>
    readConnection(args, GroupWire, site, (window) => session.groups.list({ ...withSearch(search), ...window })),
  metadata: (_source, _args, { session }) => session.instance.version(),
  echo: async (_source, { text }, { session }) => {
    const caller = await session.users.current().catch(() => undefined)
    return `${JSON.stringify(caller?.username ?? null)} says: ${text}`
  },
}
