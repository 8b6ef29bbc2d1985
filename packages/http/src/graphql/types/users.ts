import { PlatformError } from '@forgelet/core'
import { requireDetails } from '@forgelet/core/operations'
import { MergeRequestWire } from '../../shapes/merge-request.ts'
import { NamespaceRecordWire } from '../../shapes/namespace.ts'
import { UserSummaryWire } from '../../shapes/user.ts'
import { ManagedUserWire } from '../../shapes/user-detail.ts'
import { sliceConnection } from '../connection.ts'
import { itemField, listField } from '../fields.ts'
import { mergeRequestArguments, readMergeRequestFilter } from '../filters.ts'
import { parseIdOf, parseIdsOf } from '../global-id.ts'
import { ifVisible } from '../if-visible.ts'
import type { Resolver, TypeResolvers, With } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import { toWebPath } from '../web-path.ts'

const fields = `
  id: UserID!
  username: String!
  name: String!
  state: UserState!
  avatarUrl: String
  webUrl: String!
  webPath: String!
  publicEmail: String
  namespace: Namespace
  assignedMergeRequests(${mergeRequestArguments}, ${paging}): MergeRequestConnection
  authoredMergeRequests(${mergeRequestArguments}, ${paging}): MergeRequestConnection
  reviewRequestedMergeRequests(${mergeRequestArguments}, ${paging}): MergeRequestConnection
`

/** The merge requests of all projects in which the user has a role. */
const createListResolver = (toFilter: (username: string) => object): Resolver =>
  listField(MergeRequestWire, ({ mergeRequests }, window, { username }: With<{ username: string }>, args) =>
    mergeRequests.list({
      ...readMergeRequestFilter(args),
      ...toFilter(username),
      scope: 'all',
      ...window,
    }),
  )

const userResolvers: TypeResolvers = {
  computed: { webPath: toWebPath, publicEmail: ({ public_email: email }) => email || null },
  calls: {
    namespace: itemField(NamespaceRecordWire, ({ namespaces }, { username }: With<{ username: string }>) =>
      namespaces.get({ namespace: username }),
    ),
    assignedMergeRequests: createListResolver((username) => ({ assigneeUsername: [username] })),
    authoredMergeRequests: createListResolver((authorUsername) => ({ authorUsername })),
    reviewRequestedMergeRequests: createListResolver((reviewerUsername) => ({ reviewerUsername })),
  },
}

/** At most as many users as a list has. */
const maxUsers = 100

/** Users. */
export const userPart: SchemaPart = {
  types: `
enum UserState { active blocked banned deactivated }

type UserCore { ${fields} }
type CurrentUser { ${fields} commitEmail: String }

extend type Query {
  "The user of the request; null for anonymous requests."
  currentUser: CurrentUser
  user(id: UserID, username: String): UserCore
  users(search: String, usernames: [String!], ids: [ID!], ${paging}): UserCoreConnection
}
`,
  resolvers: {
    UserCore: userResolvers,
    CurrentUser: userResolvers,
    Query: {
      calls: {
        currentUser: itemField(ManagedUserWire, async ({ users }) => requireDetails(await users.get())),
        user: itemField(UserSummaryWire, ({ users }, _source, { id, username }: With<{ username?: string | null }>) => {
          const user = username ?? (id == null ? undefined : parseIdOf('User', id))
          if (user === undefined || (id != null && username != null))
            throw new PlatformError('invalid_input', 'Provide either a username or an id')
          return users.get({ user })
        }),
        users(source, args: With<{ search?: string | null; usernames?: readonly string[] | null }>, context) {
          const { search, usernames, ids } = args
          const { users } = context.session
          if (usernames == null && ids == null)
            return listField(UserSummaryWire, (_session, window) =>
              users.list({ ...(search != null && { search }), ...window }),
            )(source, args, context)
          const names = [...new Set(usernames ?? [])]
          const numbers = parseIdsOf('User', ids ?? []) ?? []
          if (names.length + numbers.length > maxUsers)
            throw new PlatformError('invalid_input', `More than ${maxUsers} users`)
          const lookups = [
            ...names.map((username) => users.list({ username }).then(({ items }) => items)),
            ...numbers.map((user) => ifVisible(users.get({ user }))),
          ]
          return Promise.all(lookups).then((found) =>
            sliceConnection(
              args,
              found
                .flat()
                .filter((user) => user !== undefined)
                .map((user) => UserSummaryWire(user, context.site)),
            ),
          )
        },
      },
    },
  },
}
