import { GroupDetailsWire, GroupWire } from '../../shapes/group.ts'
import { ProjectWire } from '../../shapes/project.ts'
import { itemField, listField } from '../fields.ts'
import type { GraphqlContext, Json, With, WithId } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'

const withSearch = ({ search }: With<{ search?: string | null }>) => (search == null ? {} : { search })

/** A group as JSON. */
export const readGroup = async (group: number | string, { session, site }: GraphqlContext): Promise<Json> =>
  GroupDetailsWire(await session.groups.get({ group, withProjects: false }), site)

/** Groups. */
export const groupPart: SchemaPart = {
  types: `
type Group implements Todoable {
  id: ID!
  name: String!
  path: String!
  fullPath: ID!
  fullName: String!
  description: String
  visibility: String!
  avatarUrl: String
  webUrl: String!
  createdAt: Time
  requestAccessEnabled: Boolean
  parent: Group
  descendantGroups(search: String, ${paging}): GroupConnection
  projects(includeSubgroups: Boolean = false, search: String, ${paging}): ProjectConnection
}

extend type Query {
  group(fullPath: ID!): Group
  groups(search: String, ${paging}): GroupConnection
}
`,
  resolvers: {
    Group: {
      calls: {
        parent: ({ parent_id: parent }: With<{ parent_id: number | null }>, _args, context) =>
          parent === null ? null : readGroup(parent, context),
        descendantGroups: listField(GroupWire, ({ groups }, window, { id }: WithId, args) =>
          groups.list({ parent: id, includeDescendants: true, ...withSearch(args), ...window }),
        ),
        projects: listField(
          ProjectWire,
          ({ projects }, window, { id }: WithId, args: With<{ includeSubgroups: boolean }>) =>
            projects.list({
              group: id,
              withShared: false,
              includeSubgroups: args.includeSubgroups,
              ...withSearch(args),
              ...window,
            }),
        ),
      },
    },
    Query: {
      calls: {
        group: itemField(GroupDetailsWire, ({ groups }, _source, { fullPath }: With<{ fullPath: string }>) =>
          groups.get({ group: fullPath, withProjects: false }),
        ),
        groups: listField(GroupWire, ({ groups }, window, _source, args) =>
          groups.list({ ...withSearch(args), ...window }),
        ),
      },
    },
  },
}
