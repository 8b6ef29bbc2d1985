import { PlatformError } from '@forgelet/core'
import { ProjectDetailsWire, ProjectWire } from '../../shapes/project.ts'
import { sliceConnection } from '../connection.ts'
import { itemField, listField } from '../fields.ts'
import { readOrder } from '../filters.ts'
import { parseIdsOf } from '../global-id.ts'
import { ifVisible } from '../if-visible.ts'
import type { GraphqlContext, Json, With, WithId } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import { readGroup } from './groups.ts'

/** A project as JSON. */
export const readProject = async (project: number | string, { session, site }: GraphqlContext): Promise<Json> =>
  ProjectDetailsWire(await session.projects.get({ project }), site)

/** At most as many projects as a list has. */
const maxProjects = 100

/** The projects with these ids that the current user can see. */
const readProjects = async (ids: readonly number[], context: GraphqlContext): Promise<Json[]> => {
  if (ids.length > maxProjects) throw new PlatformError('invalid_input', `More than ${maxProjects} ids`)
  const found = await Promise.all(ids.map((id) => ifVisible(readProject(id, context))))
  return found.filter((project) => project !== undefined)
}

/** Projects. */
export const projectPart: SchemaPart = {
  types: `
type Project implements Todoable {
  id: ID!
  name: String!
  nameWithNamespace: String!
  path: String!
  fullPath: ID!
  description: String
  visibility: String
  archived: Boolean
  avatarUrl: String
  webUrl: String
  httpUrlToRepo: String
  sshUrlToRepo: String
  starCount: Int!
  forksCount: Int!
  openIssuesCount: Int
  createdAt: Time
  lastActivityAt: Time
  issuesEnabled: Boolean
  mergeRequestsEnabled: Boolean
  snippetsEnabled: Boolean
  wikiEnabled: Boolean
  jobsEnabled: Boolean
  lfsEnabled: Boolean
  requestAccessEnabled: Boolean
  onlyAllowMergeIfPipelineSucceeds: Boolean
  topics: [String!]
  namespace: Namespace
  group: Group
}

extend type Query {
  project(fullPath: ID!): Project
  "Projects; sort is a field and a direction, such as name_asc."
  projects(ids: [ID!], search: String, membership: Boolean, sort: String, ${paging}): ProjectConnection
}
`,
  resolvers: {
    Project: {
      computed: {
        fullPath: ({ path_with_namespace: path }) => path,
        topics: ({ tag_list: topics }) => topics,
      },
      calls: {
        group({ namespace: { kind, id } }: With<{ namespace: WithId }>, _args, context) {
          return kind === 'group' ? readGroup(id, context) : null
        },
      },
    },
    Query: {
      calls: {
        project: itemField(ProjectDetailsWire, ({ projects }, _source, { fullPath }: With<{ fullPath: string }>) =>
          projects.get({ project: fullPath }),
        ),
        async projects(source, args, context) {
          const ids = parseIdsOf('Project', args.ids)
          if (ids) return sliceConnection(args, await readProjects([...new Set(ids)], context))
          return listField(
            ProjectWire,
            ({ projects }, window, _source, { search, membership, sort }: With<{ search?: string | null }>) =>
              projects.list({
                ...(search != null && { search }),
                ...readOrder(sort),
                membership: membership === true,
                ...window,
              }),
          )(source, args, context)
        },
      },
    },
  },
}
