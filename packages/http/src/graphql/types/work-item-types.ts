import { sliceConnection } from '../connection.ts'
import type { Json, Resolver, With } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'

/** The widgets of issues, in the order of the enumeration. */
const issueWidgets = [
  'ASSIGNEES',
  'AWARD_EMOJI',
  'DESCRIPTION',
  'DEVELOPMENT',
  'HIERARCHY',
  'LABELS',
  'LINKED_ITEMS',
  'MILESTONE',
  'NOTES',
  'START_AND_DUE_DATE',
  'TIME_TRACKING',
  'WEIGHT',
] as const

const epicWidgets = ['COLOR', 'DESCRIPTION', 'HIERARCHY', 'LABELS', 'NOTES', 'START_AND_DUE_DATE'] as const

/** The kinds of work items that have objects, with their ids on GitLab.com. */
const types = {
  issue: { id: 1, name: 'Issue', icon_name: 'work-item-issue', widgets: issueWidgets },
  epic: { id: 8, name: 'Epic', icon_name: 'work-item-epic', widgets: epicWidgets },
} as const

const isEpic = ({ group_id: group }: Json) => group !== undefined

/** The kind of an issue or epic. */
export const getWorkItemType = (item: Json) => types[isEpic(item) ? 'epic' : 'issue']

/** The kinds of work items that a namespace can contain, by its `kind`. */
const getTypesOf = (kind: unknown) => (kind === 'project' ? [types.issue] : kind === 'group' ? [types.epic] : [])

/** The name of the type of a widget: `START_AND_DUE_DATE` → `StartAndDueDate`. */
export const formatWidgetName = (type: string) =>
  type
    .split('_')
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join('')

const definitionTypes: Readonly<Record<string, string>> = { HIERARCHY: 'WorkItemWidgetDefinitionHierarchy' }

const toDefinition = (type: string) => ({
  type,
  __typename: definitionTypes[type] ?? 'WorkItemWidgetDefinitionGeneric',
})

const createListResolver =
  (toKind: (source: Json) => unknown): Resolver =>
  (source, args) => {
    const name = args.name == null ? undefined : String(args.name).toLowerCase()
    return sliceConnection(
      args,
      getTypesOf(toKind(source)).filter((type) => name === undefined || type.name.toLowerCase() === name),
    )
  }

const noTypes: Resolver = (_source, args) => sliceConnection(args, [])

/** Kinds of work items. */
export const workItemTypePart: SchemaPart = {
  types: `
enum IssueType { ISSUE INCIDENT TEST_CASE REQUIREMENT TASK OBJECTIVE KEY_RESULT EPIC TICKET }

type WorkItemType {
  id: WorkItemsTypeID!
  name: String!
  iconName: String
  "Always empty."
  supportedConversionTypes: [WorkItemType!]
  widgetDefinitions: [WorkItemWidgetDefinition!]
}

interface WorkItemWidgetDefinition { type: WorkItemWidgetType! }
type WorkItemWidgetDefinitionGeneric implements WorkItemWidgetDefinition { type: WorkItemWidgetType! }
type WorkItemWidgetDefinitionHierarchy implements WorkItemWidgetDefinition {
  type: WorkItemWidgetType!
  "Always empty."
  allowedChildTypes(${paging}): WorkItemTypeConnection
  "Always empty."
  allowedParentTypes(${paging}): WorkItemTypeConnection
}
"No type of work item has it."
type WorkItemWidgetDefinitionStatus implements WorkItemWidgetDefinition {
  type: WorkItemWidgetType! allowedStatuses: [WorkItemStatus!]
}
"No type of work item has it."
type WorkItemWidgetDefinitionCustomFields implements WorkItemWidgetDefinition {
  type: WorkItemWidgetType! customFieldValues: [WorkItemCustomFieldValue!]
}

extend type Namespace { workItemTypes(name: IssueType, ${paging}): WorkItemTypeConnection }
extend type Project { workItemTypes(name: IssueType, ${paging}): WorkItemTypeConnection }
extend type Group { workItemTypes(name: IssueType, ${paging}): WorkItemTypeConnection }
`,
  resolvers: {
    WorkItemType: {
      computed: {
        supportedConversionTypes: () => [],
        widgetDefinitions: ({ widgets }: With<{ widgets: readonly string[] }>) => widgets.map(toDefinition),
      },
    },
    WorkItemWidgetDefinitionHierarchy: { computed: { allowedChildTypes: noTypes, allowedParentTypes: noTypes } },
    Namespace: { computed: { workItemTypes: createListResolver(({ kind }) => kind) } },
    Project: { computed: { workItemTypes: createListResolver(() => 'project') } },
    Group: { computed: { workItemTypes: createListResolver(() => 'group') } },
  },
}
