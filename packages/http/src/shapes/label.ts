import type { Label } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableInteger, NullableText } from '../reply/field-types.ts'
import { wire } from '../reply/wire.ts'

/** Fields of a promoted label: specification 1, "Label". */
const promotedLabelFields = {
  id: Integer,
  name: v.string(),
  color: v.string(),
  description: NullableText,
  description_html: v.string(),
  open_issues_count: v.optional(Integer),
  closed_issues_count: v.optional(Integer),
  open_merge_requests_count: v.optional(Integer),
  subscribed: v.boolean(),
}

export const PromotedLabelWire = wire<Label>('PromotedLabel')(promotedLabelFields)

export const LabelWire = wire<Label>('Label')({
  ...promotedLabelFields,
  text_color: v.string(),
  priority: NullableInteger,
  is_project_label: v.boolean(),
})
