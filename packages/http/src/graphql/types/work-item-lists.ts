import { isPlatformError, PlatformError, type Session } from '@forgelet/core'
import type { Epic, Issue } from '@forgelet/core/operations'
import { concatenate, type ReadPage, type Slice } from '../connection.ts'
import { listField } from '../fields.ts'
import { orderValues, readIssueFilter, workItemArguments } from '../filters.ts'
import type { Json, Resolver, WithId } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import { shapeWorkItem } from './work-items.ts'

type WorkItemArguments = Parameters<typeof readIssueFilter>[0] & { readonly types?: readonly string[] | null }

const epicOrders = new Set<unknown>(['created_at', 'updated_at', 'title'])

const empty: Slice<never> = { items: [], total: 0, hasNext: false }

/** Filters of epics; undefined for filters of issues that epics do not have, so that none matches. */
const readEpicFilter = (args: WorkItemArguments) => {
  const { assigneeUsername, milestone, confidential, orderBy, ...filter }: Json = readIssueFilter(args)
  if (assigneeUsername !== undefined || milestone !== undefined || confidential !== undefined) return undefined
  return { ...filter, ...(epicOrders.has(orderBy) && { orderBy: orderBy as 'title' }) }
}

/** The epics of a group; none for filters that epics do not have, and without the paid tier. */
const listEpics =
  ({ epics }: Session, group: number, args: WorkItemArguments): ReadPage<Issue | Epic> =>
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

const includesType = ({ types }: WorkItemArguments, type: string) => types?.includes(type) ?? true

/** The issues of a project. */
const listOfProject = (session: Session, project: number, args: WorkItemArguments): ReadPage<Issue | Epic> => {
  if (!includesType(args, 'ISSUE')) return async () => empty
  return (window) => session.issues.list({ project, ...readIssueFilter(args), ...window })
}

/** The epics of a group, and with `includeDescendants` also those below it, and the issues of its projects. */
const listOfGroup = (session: Session, group: number, args: WorkItemArguments): ReadPage<Issue | Epic> => {
  const epics = listEpics(session, group, args)
  const issues: ReadPage<Issue | Epic> = (window) => session.issues.list({ group, ...readIssueFilter(args), ...window })
  if (!args.includeDescendants || !includesType(args, 'ISSUE'))
    return includesType(args, 'EPIC') ? epics : async () => empty
  return includesType(args, 'EPIC') ? concatenate(epics, issues) : issues
}

const createListResolver = (toKind: (source: Json) => unknown): Resolver =>
  listField(shapeWorkItem, (session, window, source: WithId, args: WorkItemArguments) => {
    if (args.dueAfter != null || args.dueBefore != null)
      throw new PlatformError('invalid_input', 'Lists of work items have no filters by the due date')
    const { id } = source
    const kind = toKind(source)
    if (kind === 'project') return listOfProject(session, id, args)(window)
    return kind === 'group' ? listOfGroup(session, id, args)(window) : Promise.resolve(empty)
  })

/** Lists of work items. */
export const workItemListPart: SchemaPart = {
  types: `
enum WorkItemSort { ${orderValues} }

extend type Namespace {
  workItems(includeDescendants: Boolean = false, ${workItemArguments}, ${paging}): WorkItemConnection
}
extend type Project { workItems(${workItemArguments}, ${paging}): WorkItemConnection }
extend type Group {
  "Epics; with includeDescendants also those of subgroups, and the issues of all projects."
  workItems(includeDescendants: Boolean = false, ${workItemArguments}, ${paging}): WorkItemConnection
}
`,
  resolvers: {
    Namespace: { calls: { workItems: createListResolver(({ kind }) => kind) } },
    Project: { calls: { workItems: createListResolver(() => 'project') } },
    Group: { calls: { workItems: createListResolver(() => 'group') } },
  },
}
