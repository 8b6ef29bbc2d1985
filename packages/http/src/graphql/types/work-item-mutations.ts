import { PlatformError, type Session } from '@forgelet/core'
import type { Epic, Issue } from '@forgelet/core/operations'
import { parseIdOf } from '../global-id.ts'
import { findItem } from '../references.ts'
import type { Arguments, GraphqlContext, Json, With } from '../resolver.ts'
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

/** The result of a change. */
export const toPayload = (item: Issue | Epic, { site }: GraphqlContext): Json => ({
  work_item: shapeWorkItem(item, site),
})

type NewWorkItem = With<{ namespacePath?: string | null; projectPath?: string | null; title: string }>

const create = async (input: NewWorkItem, context: GraphqlContext): Promise<Json> => {
  const { session } = context
  const path = input.namespacePath ?? input.projectPath
  if (path == null) throw new PlatformError('invalid_input', 'Provide a namespacePath')
  const { title } = input
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
  await session.epics.remove({ group: item.group, epic: iid })
  return {}
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
  types: widgetInputTypes,
  mutations: {
    workItemCreate: {
      input: `
        title: String! namespacePath: ID projectPath: ID workItemTypeId: WorkItemsTypeID! confidential: Boolean
        description: String descriptionWidget: WorkItemWidgetDescriptionInput
        assigneesWidget: WorkItemWidgetAssigneesInput labelsWidget: WorkItemWidgetLabelsCreateInput
        milestoneWidget: WorkItemWidgetMilestoneInput startAndDueDateWidget: WorkItemWidgetStartAndDueDateInput
        colorWidget: WorkItemWidgetColorInput weightWidget: WorkItemWidgetWeightInput ${absentWidgetInputs}`,
      payload,
      run: create,
    },
    workItemUpdate: {
      input: `
        id: WorkItemID! title: String confidential: Boolean stateEvent: WorkItemStateEvent
        descriptionWidget: WorkItemWidgetDescriptionInput assigneesWidget: WorkItemWidgetAssigneesInput
        labelsWidget: WorkItemWidgetLabelsUpdateInput milestoneWidget: WorkItemWidgetMilestoneInput
        startAndDueDateWidget: WorkItemWidgetStartAndDueDateInput colorWidget: WorkItemWidgetColorInput
        timeTrackingWidget: WorkItemWidgetTimeTrackingInput weightWidget: WorkItemWidgetWeightInput ${absentWidgetInputs}`,
      payload,
      run: update,
    },
    workItemDelete: { input: 'id: WorkItemID!', payload: '"Always null." namespace: Namespace', run: remove },
    workItemConvert: { input: 'id: WorkItemID! workItemTypeId: WorkItemsTypeID!', payload, run: convert },
  },
}
