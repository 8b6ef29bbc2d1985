import { isPlatformError, type Session } from '@forgelet/core'
import type { Epic, Issue } from '@forgelet/core/operations'
import { EpicWire } from '../../shapes/epic.ts'
import { IssueWire } from '../../shapes/issue.ts'
import { concatenate, type ReadPage, type Slice } from '../connection.ts'
import { issueArguments, readIssueFilter } from '../filters.ts'
import { findItem, toWorkItemId } from '../references.ts'
import {
  type Arguments,
  type GraphqlContext,
  itemField,
  type Json,
  type JsonShape,
  listField,
  type Resolver,
} from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
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

const epicOrders = new Set<unknown>(['created_at', 'updated_at', 'title'])

const empty: Slice<never> = { items: [], total: 0, hasNext: false }

/** Filters of epics; undefined for filters of issues that epics do not have, so that none matches. */
const readEpicFilter = (args: Arguments) => {
  const { assigneeUsername, milestone, confidential, orderBy, ...filter }: Json = readIssueFilter(args)
  if (assigneeUsername !== undefined || milestone !== undefined || confidential !== undefined) return undefined
  return { ...filter, ...(epicOrders.has(orderBy) && { orderBy: orderBy as 'title' }) }
}

/** The epics of a group; none for filters that epics do not have, and without the paid tier. */
const listEpics =
  ({ epics }: Session, group: number, args: Arguments): ReadPage<Issue | Epic> =>
  async (window) => {
    const filter = readEpicFilter(args)
    if (!filter) return empty
    const includeDescendantGroups = args.includeDescendants === true
    try {
      return await epics.list({ group, includeDescendantGroups, ...filter, ...window })
    } catch (error) {
      if (isPlatformError(error) && error.code === 'not_licensed') return empty
      throw error
    }
  }

const includesType = ({ types }: Arguments, type: string) =>
  (types as readonly string[] | null | undefined)?.includes(type) ?? true

/** The issues of a project. */
const listOfProject = (session: Session, project: number, args: Arguments): ReadPage<Issue | Epic> => {
  if (!includesType(args, 'ISSUE')) return async () => empty
  return (window) => session.issues.list({ project, ...readIssueFilter(args), ...window })
}

/** The epics of a group, and with `includeDescendants` also those below it, and the issues of its projects. */
const listOfGroup = (session: Session, group: number, args: Arguments): ReadPage<Issue | Epic> => {
  const epics = listEpics(session, group, args)
  const issues: ReadPage<Issue | Epic> = (window) =>
    session.issues.listOfGroup({ group, ...readIssueFilter(args), ...window })
  if (!args.includeDescendants || !includesType(args, 'ISSUE'))
    return includesType(args, 'EPIC') ? epics : async () => empty
  return includesType(args, 'EPIC') ? concatenate(epics, issues) : issues
}

const createListResolver = (toKind: (source: Json) => unknown): Resolver =>
  listField(shapeWorkItem, (session, window, source, args) => {
    const id = source.id as number
    const kind = toKind(source)
    if (kind === 'project') return listOfProject(session, id, args)(window)
    return kind === 'group' ? listOfGroup(session, id, args)(window) : Promise.resolve(empty)
  })

const readByIid: Resolver = async ({ id, kind }, { iid }, { session, site }) => {
  if (kind === 'project')
    return IssueWire(await session.issues.get({ project: id as number, issue: Number(iid) }), site)
  if (kind === 'group')
    return EpicWire(await session.epics.getByIid({ group: id as number, epicIid: Number(iid) }), site)
  return null
}

const projectOf = ({ project_id: project }: Json, context: GraphqlContext) =>
  project === undefined ? undefined : readProject(project as number, context)

const workItemArguments = `types: [IssueType!], ${issueArguments}, ${paging}`

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

extend type Namespace {
  workItem(iid: String!): WorkItem
  workItems(includeDescendants: Boolean = false, ${workItemArguments}): WorkItemConnection
}
extend type Project { workItems(${workItemArguments}): WorkItemConnection }
extend type Group {
  "Epics; with includeDescendants also those of subgroups, and the issues of all projects."
  workItems(includeDescendants: Boolean = false, ${workItemArguments}): WorkItemConnection
}
extend type Query { workItem(id: WorkItemID!): WorkItem }
`,
  resolvers: {
    WorkItem: {
      computed: {
        id: (item) => `gid://gitlab/WorkItem/${toWorkItemId(item)}`,
        state: ({ state }) => (state === 'closed' ? 'CLOSED' : 'OPEN'),
        webPath: toWebPath,
        reference: ({ references }, { full }) => (references as Json)[full ? 'full' : 'relative'],
        workItemType: getWorkItemType,
        imported: () => false,
        widgets: getWidgets,
      },
      calls: {
        async namespace(item, _args, context) {
          const project = await projectOf(item, context)
          if (project) return toProjectNamespace(project)
          return { ...(await readGroup(item.group_id as number, context)), kind: 'group' }
        },
        project: (item, _args, context) => projectOf(item, context) ?? null,
        archived: async (item, _args, context) => (await projectOf(item, context))?.archived ?? false,
      },
    },
    Namespace: { calls: { workItem: readByIid, workItems: createListResolver(({ kind }) => kind) } },
    Project: { calls: { workItems: createListResolver(() => 'project') } },
    Group: { calls: { workItems: createListResolver(() => 'group') } },
    Query: {
      calls: { workItem: itemField(shapeWorkItem, (session, _source, { id }) => readWorkItem(session, id)) },
    },
  },
}
