import { defined } from '@forgelet/core/operations'
import { NamespaceRecordWire } from '../../shapes/namespace.ts'
import { formatGlobalId } from '../global-id.ts'
import { ifVisible } from '../if-visible.ts'
import type { GraphqlContext, Json, With } from '../resolver.ts'
import type { SchemaPart } from '../schema-part.ts'
import { readGroup } from './groups.ts'
import { readProject } from './projects.ts'

const idTypes: Readonly<Record<string, string>> = {
  group: 'Group',
  user: 'Namespaces::UserNamespace',
  project: 'Namespaces::ProjectNamespace',
}

/** A project as the parent of its work items. */
export const toProjectNamespace = (project: Json): Json => ({
  ...project,
  kind: 'project',
  full_path: project.path_with_namespace,
  full_name: project.name_with_namespace,
})

/** A project, a group or the personal namespace of a user, which have different paths. */
const readNamespace = async (fullPath: string, context: GraphqlContext): Promise<Json> => {
  const { session, site } = context
  const group = await ifVisible(readGroup(fullPath, context))
  if (group) return { ...group, kind: 'group' }
  const project = await ifVisible(readProject(fullPath, context))
  if (project) return toProjectNamespace(project)
  return NamespaceRecordWire(await session.namespaces.get({ namespace: fullPath }), site)
}

/** Parents of work items, and of projects. */
export const namespacePart: SchemaPart = {
  types: `
type Namespace {
  id: ID!
  name: String!
  path: String!
  fullPath: ID!
  fullName: String
  visibility: String
  description: String
  webUrl: String
}

extend type Query {
  "A group, a project or the personal namespace of a user."
  namespace(fullPath: ID!): Namespace
}
`,
  resolvers: {
    Namespace: {
      computed: { id: ({ kind, id }) => formatGlobalId(defined(idTypes[String(kind)]), id) },
    },
    Query: {
      calls: {
        namespace: (_source, { fullPath }: With<{ fullPath: string }>, context) => readNamespace(fullPath, context),
      },
    },
  },
}
