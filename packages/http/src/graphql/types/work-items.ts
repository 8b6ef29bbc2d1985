import type { Session } from '@forgelet/core'
import type { Epic, Issue } from '@forgelet/core/operations'
import { EpicWire } from '../../shapes/epic.ts'
import { IssueWire } from '../../shapes/issue.ts'
import { itemField } from '../fields.ts'
import { findItem, toWorkItemId } from '../references.ts'
import type { GraphqlContext, Json, JsonShape, Resolver, With, WithId } from '../resolver.ts'
import type { SchemaPart } from '../schema-part.ts'
import { toWebPath } from '../web-path.ts'
import { readGroup } from './groups.ts'
import { toProjectNamespace } from './namespaces.ts'
import { readProject } from './projects.ts'
import { getWorkItemType } from './work-item-types.ts'
import { getWidgets } from './work-item-widgets.ts'

/** An issue or epic as JSON. */
export const shapeWorkItem: JsonShape<Issue | Epic> = (item, site) =>
  'groupId' in item ? EpicWire(item, site) : IssueWire(item, site)

/** Reads the issue or epic with a global id. */
export const readWorkItem = async (session: Session, id: unknown): Promise<Issue | Epic> => {
  const item = await findItem(session, id)
  if ('epic' in item) return session.epics.get(item)
  return session.issues.get(item as { project: number; issue: number })
}

const readByIid: Resolver = async ({ id, kind }: WithId, { iid }, { session, site }) => {
  if (kind === 'project') return IssueWire(await session.issues.get({ project: id, issue: Number(iid) }), site)
  if (kind === 'group') return EpicWire(await session.epics.get({ group: id, epic: Number(iid) }), site)
  return null
}

/** The JSON of an issue, which has a project, or of an epic, which has a group. */
type WorkItem = With<{ project_id?: number; group_id: number }>

const projectOf = ({ project_id: project }: WorkItem, context: GraphqlContext) =>
  project === undefined ? undefined : readProject(project, context)

/** Issues and epics as work items. */
export const workItemPart: SchemaPart = {
  types: `
enum WorkItemState { OPEN CLOSED }

type WorkItem implements Todoable {
  id: WorkItemID!
  iid: String!
  title: String!
  description: String
  state: WorkItemState!
  confidential: Boolean!
  createdAt: Time!
  updatedAt: Time!
  closedAt: Time
  webUrl: String
  webPath: String
  author: UserCore
  reference(full: Boolean = false): String!
  workItemType: WorkItemType!
  namespace: Namespace
  "Null for an epic."
  project: Project
  archived: Boolean!
  "Always false."
  imported: Boolean!
  widgets(onlyTypes: [WorkItemWidgetType!]): [WorkItemWidget!]
}

extend type Namespace { workItem(iid: String!): WorkItem }
extend type Query { workItem(id: WorkItemID!): WorkItem }
`,
  resolvers: {
    WorkItem: {
      computed: {
        id: (item) => `gid://gitlab/WorkItem/${toWorkItemId(item)}`,
        state: ({ state }) => (state === 'closed' ? 'CLOSED' : 'OPEN'),
        webPath: toWebPath,
        reference: ({ references }: With<{ references: Json }>, { full }) => references[full ? 'full' : 'short'],
        workItemType: getWorkItemType,
        imported: () => false,
        widgets: getWidgets,
      },
      calls: {
        async namespace(item: WorkItem, _args, context) {
          const project = await projectOf(item, context)
          if (project) return toProjectNamespace(project)
          return { ...(await readGroup(item.group_id, context)), kind: 'group' }
        },
        project: (item: WorkItem, _args, context) => projectOf(item, context) ?? null,
        archived: async (item: WorkItem, _args, context) => (await projectOf(item, context))?.archived ?? false,
      },
    },
    Namespace: { calls: { workItem: readByIid } },
    Query: {
      calls: { workItem: itemField(shapeWorkItem, (session, _source, { id }) => readWorkItem(session, id)) },
    },
  },
}
