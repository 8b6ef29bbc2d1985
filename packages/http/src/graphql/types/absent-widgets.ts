import { paging, type SchemaPart } from '../schema-part.ts'

const widget = (name: string, fields: string) =>
  `"No work item has it."\ntype WorkItemWidget${name} implements WorkItemWidget { type: WorkItemWidgetType ${fields} }\n`

/**
 * Widgets without objects in the platform. Clients select them together with others, so that the schema contains the fields
 * that they select.
 */
export const absentWidgetPart: SchemaPart = {
  types: `
type WorkItemStatus { id: WorkItemsStatusesStatusID name: String category: String color: String iconName: String position: Int }
type WorkItemCustomFieldSelectOption { id: ID! value: String! }
type WorkItemCustomField {
  id: ID! name: String! fieldType: String! selectOptions: [WorkItemCustomFieldSelectOption!] workItemTypes: [WorkItemType!]
}
interface WorkItemCustomFieldValue { customField: WorkItemCustomField }
"The value is a text: clients select it together with that of other types."
type WorkItemNumberFieldValue implements WorkItemCustomFieldValue { customField: WorkItemCustomField value: String }
type WorkItemTextFieldValue implements WorkItemCustomFieldValue { customField: WorkItemCustomField value: String }
type WorkItemDateFieldValue implements WorkItemCustomFieldValue { customField: WorkItemCustomField value: String }
type WorkItemSelectFieldValue implements WorkItemCustomFieldValue {
  customField: WorkItemCustomField selectedOptions: [WorkItemCustomFieldSelectOption!]
}
type IterationCadence { id: ID! title: String }
type Iteration { id: ID! title: String startDate: Time dueDate: Time webUrl: String iterationCadence: IterationCadence }
type WorkItemRelatedBranch { name: String! }
type FeatureFlag { name: String! active: Boolean! }

${widget('CustomFields', 'customFieldValues: [WorkItemCustomFieldValue!]')}
${widget('HealthStatus', 'healthStatus: String')}
${widget('Iteration', 'iteration: Iteration')}
${widget('Participants', `participants(${paging}): UserCoreConnection`)}
${widget('Progress', 'progress: Int currentValue: Int startValue: Int endValue: Int')}
${widget('Status', 'status: WorkItemStatus')}
`,
}
