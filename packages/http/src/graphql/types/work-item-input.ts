import { PlatformError, type Session } from '@forgelet/core'
import { parseIdsOf } from '../global-id.ts'
import { pick, pickNullable } from '../mutation.ts'
import type { Arguments } from '../resolver.ts'
import { readLabelInput, readMilestoneInput, readStateEvent } from './issue-mutations.ts'

/** Inputs of widgets without data. Clients declare them in their variables, also without values. */
export const absentWidgetInputs = `
  healthStatusWidget: WorkItemWidgetHealthStatusInput
  iterationWidget: WorkItemWidgetIterationInput
  statusWidget: WorkItemWidgetStatusInput
  customFieldsWidget: [WorkItemWidgetCustomFieldValueInputType!]
  hierarchyWidget: WorkItemWidgetHierarchyInput
`

/** Types of the inputs of widgets. */
export const widgetInputTypes = `
enum HealthStatus { onTrack needsAttention atRisk }
enum WorkItemStateEvent { REOPEN CLOSE }

input WorkItemWidgetDescriptionInput { description: String! }
input WorkItemWidgetAssigneesInput { assigneeIds: [UserID!]! }
input WorkItemWidgetLabelsCreateInput { labelIds: [LabelID!]! }
input WorkItemWidgetLabelsUpdateInput { labelIds: [LabelID!] addLabelIds: [LabelID!] removeLabelIds: [LabelID!] }
input WorkItemWidgetMilestoneInput { milestoneId: MilestoneID }
input WorkItemWidgetStartAndDueDateInput { startDate: Date dueDate: Date isFixed: Boolean }
input WorkItemWidgetColorInput { color: String! }
input WorkItemWidgetTimelogInput { timeSpent: String! summary: String spentAt: Time }
input WorkItemWidgetTimeTrackingInput { timeEstimate: String timelog: WorkItemWidgetTimelogInput }
input WorkItemWidgetWeightInput { weight: Int }
input WorkItemWidgetHealthStatusInput { healthStatus: HealthStatus }
input WorkItemWidgetIterationInput { iterationId: IterationID }
input WorkItemWidgetStatusInput { status: WorkItemsStatusesStatusID }
input WorkItemWidgetHierarchyInput { parentId: WorkItemID childrenIds: [WorkItemID!] }
input WorkItemWidgetCustomFieldValueInputType {
  customFieldId: ID! textValue: String numberValue: Float dateValue: Date selectedOptionIds: [ID!]
}
`

const supportedWidgets = {
  Issue: ['description', 'assignees', 'labels', 'milestone', 'startAndDueDate', 'timeTracking', 'weight'],
  Epic: ['description', 'labels', 'startAndDueDate', 'color'],
} as const

/** Whether the input of a widget contains a value. */
const hasValue = (widget: object): boolean =>
  Array.isArray(widget)
    ? widget.length > 0
    : Object.values(widget).some((value) => value !== null && value !== undefined)

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const assertSupported = (input: Arguments, type: keyof typeof supportedWidgets): void => {
  const supported: readonly string[] = supportedWidgets[type]
  const unsupported = Object.entries(input).filter(
    ([field, widget]) =>
      field.endsWith('Widget') &&
      typeof widget === 'object' &&
      widget !== null &&
      hasValue(widget) &&
      !supported.includes(field.slice(0, -'Widget'.length)),
  )
  if (!unsupported.length) return
  const names = unsupported.map(([field]) => `:${toSnakeCase(field)}`).join(', ')
  throw new PlatformError('invalid', `Following widget keys are not supported by ${type} type: [${names}]`)
}

/** The input has a widget or null for each name. */
const widgetOf = (input: Arguments, name: string): Arguments => Object.assign({}, input[`${name}Widget`])

/** The fields of an issue that the input sets. */
export const readIssueInput = async (session: Session, project: number | string, input: Arguments) => {
  assertSupported(input, 'Issue')
  const { startDate, ...dates } = widgetOf(input, 'startAndDueDate')
  if (startDate != null) throw new PlatformError('invalid', 'Issues have no start date')
  const assignees = parseIdsOf('User', widgetOf(input, 'assignees').assigneeIds)
  return {
    ...pick(input, 'title', 'confidential'),
    ...pickNullable(input, 'description'),
    ...pick(widgetOf(input, 'description'), 'description'),
    ...pickNullable(dates, 'dueDate'),
    ...pickNullable(widgetOf(input, 'weight'), 'weight'),
    ...readStateEvent(input.stateEvent),
    ...readMilestoneInput(widgetOf(input, 'milestone')),
    ...(await readLabelInput(session, { project }, widgetOf(input, 'labels'))),
    ...(assignees && { assignees }),
  }
}

/** The fields of an epic that the input sets. */
export const readEpicInput = async (session: Session, group: number | string, input: Arguments) => {
  assertSupported(input, 'Epic')
  return {
    ...pick(input, 'title', 'confidential'),
    ...pickNullable(input, 'description'),
    ...pick(widgetOf(input, 'description'), 'description'),
    ...pickNullable(widgetOf(input, 'startAndDueDate'), 'startDate', 'dueDate'),
    ...pick(widgetOf(input, 'color'), 'color'),
    ...readStateEvent(input.stateEvent),
    ...(await readLabelInput(session, { group }, widgetOf(input, 'labels'))),
  }
}

interface TimeInput {
  readonly timeEstimate?: string | null
  readonly timelog?: { readonly timeSpent: string; readonly summary?: string | null } | null
}

/** Changes of the estimated or the recorded work; undefined without any. */
export const readTimeInput = (input: Arguments) => {
  const { timeEstimate, timelog }: TimeInput = widgetOf(input, 'timeTracking')
  if (timeEstimate != null && timelog != null)
    throw new PlatformError('invalid', 'Change the time estimate and the time spent one after the other')
  if (timeEstimate != null) return { operation: 'setEstimate', duration: timeEstimate } as const
  if (timelog == null) return undefined
  const { timeSpent, summary } = timelog
  return {
    operation: 'addSpent',
    duration: timeSpent,
    ...(summary != null && { summary }),
  } as const
}
