import { PlatformError, type Session } from '@forgelet/core'
import type { Epic, Issue } from '@forgelet/core/operations'
import { parseIdOf } from '../global-id.ts'
import { findIssue, findItem } from '../references.ts'
import type { Arguments, GraphqlContext, Json } from '../resolver.ts'
import type { SchemaPart } from '../schema-part.ts'
import {
  absentWidgetInputs,
  readEpicInput,
  readIssueInput,
  readTimeInput,
  widgetInputTypes,
} from './work-item-input.ts'
import { readWorkItem, shapeWorkItem } from './work-items.ts'

const issueType = 1
const epicType = 8

const toPayload = (item: Issue | Epic, { site }: GraphqlContext): Json => ({ work_item: shapeWorkItem(item, site) })

const create = async (input: Arguments, context: GraphqlContext): Promise<Json> => {
  const { session } = context
  const path = (input.namespacePath ?? input.projectPath) as string | undefined
  if (path == null) throw new PlatformError('invalid_input', 'Provide a namespacePath')
  const title = input.title as string
  const type = parseIdOf('WorkItems::Type', input.workItemTypeId)
  if (type === issueType) {
    const { stateEvent: _none, ...fields } = await readIssueInput(session, path, input)
    return toPayload(await session.issues.create({ ...fields, project: path, title }), context)
  }
  if (type !== epicType) throw new PlatformError('invalid', 'Only work items of the types Issue and Epic are supported')
  const { stateEvent: _none, ...fields } = await readEpicInput(session, path, input)
  return toPayload(await session.epics.create({ ...fields, group: path, title }), context)
}

const updateIssue = async (
  session: Session,
  reference: { readonly project: number; readonly issue: number },
  input: Arguments,
): Promise<Issue> => {
  const fields = await readIssueInput(session, reference.project, input)
  const hasFields = Object.keys(fields).length > 0
  const time = readTimeInput(input)
  if (time && hasFields) throw new PlatformError('invalid', 'Change the time tracking separately from other fields')
  if (time) {
    const { operation, ...change } = time
    await session.timeTracking[operation]({ ...reference, ...change })
  }
  return hasFields ? session.issues.update({ ...reference, ...fields }) : session.issues.get(reference)
}

const update = async (input: Arguments, context: GraphqlContext): Promise<Json> => {
  const { session } = context
  const item = await findItem(session, input.id)
  if (!('epic' in item)) {
    return toPayload(await updateIssue(session, item as { project: number; issue: number }, input), context)
  }
  const fields = await readEpicInput(session, item.group, input)
  const hasFields = Object.keys(fields).length > 0
  return toPayload(
    hasFields ? await session.epics.update({ ...item, ...fields }) : await session.epics.get(item),
    context,
  )
}

const remove = async ({ id }: Arguments, { session }: GraphqlContext): Promise<Json> => {
  const item = await findItem(session, id)
  if (!('epic' in item)) {
    await session.issues.remove(item as { project: number; issue: number })
    return {}
  }
  const { iid } = await session.epics.get(item)
  await session.epics.removeByIid({ group: item.group, epicIid: iid })
  return {}
}

const linkTypes: Readonly<Record<string, 'relates_to' | 'blocks' | 'is_blocked_by'>> = {
  RELATED: 'relates_to',
  BLOCKS: 'blocks',
  BLOCKED_BY: 'is_blocked_by',
}

const maxLinks = 10

const findTargets = (session: Session, { workItemsIds }: Arguments) => {
  const ids = workItemsIds as readonly unknown[]
  if (ids.length > maxLinks)
    throw new PlatformError('invalid_input', `No more than ${maxLinks} work items can be linked`)
  return Promise.all(ids.map((id) => findIssue(session, id)))
}

const addLinks = async (input: Arguments, context: GraphqlContext): Promise<Json> => {
  const { session } = context
  const issue = await findIssue(session, input.id)
  const linkType = linkTypes[input.linkType as string] as 'relates_to'
  for (const target of await findTargets(session, input))
    await session.issueLinks.create({ ...issue, linkType, targetProject: target.project, targetIssue: target.issue })
  return toPayload(await session.issues.get(issue), context)
}

const removeLinks = async (input: Arguments, context: GraphqlContext): Promise<Json> => {
  const { session } = context
  const issue = await findIssue(session, input.id)
  const targets = await findTargets(session, input)
  const { items } = await session.issueLinks.list({ ...issue, perPage: 100 })
  const links = targets.map((target) =>
    items.find(({ projectId, iid }) => projectId === target.project && iid === target.issue),
  )
  for (const link of links) {
    if (!link) throw new PlatformError('invalid', 'The work items are not linked')
    await session.issueLinks.remove({ ...issue, issueLink: link.issueLinkId })
  }
  return toPayload(await session.issues.get(issue), context)
}

/** The only type to which a work item can be converted is its own. */
const convert = async ({ id, workItemTypeId }: Arguments, context: GraphqlContext): Promise<Json> => {
  const item = await readWorkItem(context.session, id)
  const type = 'groupId' in item ? epicType : issueType
  if (parseIdOf('WorkItems::Type', workItemTypeId) !== type)
    throw new PlatformError('invalid', 'Work items cannot be converted to other types')
  return toPayload(item, context)
}

const payload = 'workItem: WorkItem'

/** Changes of work items. */
export const workItemMutationPart: SchemaPart = {
  types: `${widgetInputTypes}\nenum WorkItemRelatedLinkType { RELATED BLOCKS BLOCKED_BY }\n`,
  mutations: {
    workItemCreate: {
      input: `
        title: String! namespacePath: ID projectPath: ID workItemTypeId: WorkItemsTypeID! confidential: Boolean
        description: String descriptionWidget: WorkItemWidgetDescriptionInput
        assigneesWidget: WorkItemWidgetAssigneesInput labelsWidget: WorkItemWidgetLabelsCreateInput
        milestoneWidget: WorkItemWidgetMilestoneInput startAndDueDateWidget: WorkItemWidgetStartAndDueDateInput
        colorWidget: WorkItemWidgetColorInput ${absentWidgetInputs}`,
      payload,
      run: create,
    },
    workItemUpdate: {
      input: `
        id: WorkItemID! title: String confidential: Boolean stateEvent: WorkItemStateEvent
        descriptionWidget: WorkItemWidgetDescriptionInput assigneesWidget: WorkItemWidgetAssigneesInput
        labelsWidget: WorkItemWidgetLabelsUpdateInput milestoneWidget: WorkItemWidgetMilestoneInput
        startAndDueDateWidget: WorkItemWidgetStartAndDueDateInput colorWidget: WorkItemWidgetColorInput
        timeTrackingWidget: WorkItemWidgetTimeTrackingInput ${absentWidgetInputs}`,
      payload,
      run: update,
    },
    workItemDelete: { input: 'id: WorkItemID!', payload: '"Always null." namespace: Namespace', run: remove },
    workItemConvert: { input: 'id: WorkItemID! workItemTypeId: WorkItemsTypeID!', payload, run: convert },
    workItemAddLinkedItems: {
      input: 'id: WorkItemID! workItemsIds: [WorkItemID!]! linkType: WorkItemRelatedLinkType = RELATED',
      payload,
      run: addLinks,
    },
    workItemRemoveLinkedItems: { input: 'id: WorkItemID! workItemsIds: [WorkItemID!]!', payload, run: removeLinks },
  },
}
