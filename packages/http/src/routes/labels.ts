import { features, type Label } from '@forgelet/core/operations'
import * as v from 'valibot'
import { empty, one, oneIfChanged, page } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { labels } = features

/** Fields of a promoted label: specification 1, "Label". */
const promotedLabelFields = {
  id: v.number(),
  name: v.string(),
  color: v.string(),
  description: v.nullable(v.string()),
  description_html: v.string(),
  open_issues_count: v.optional(v.number()),
  closed_issues_count: v.optional(v.number()),
  open_merge_requests_count: v.optional(v.number()),
  subscribed: v.boolean(),
}

const PromotedLabelWire = wire<Label>()(promotedLabelFields)

const LabelWire = wire<Label>()({
  ...promotedLabelFields,
  text_color: v.string(),
  priority: v.nullable(v.number()),
  is_project_label: v.boolean(),
})

/** The path contains the label's id or title. */
const labelOptions = { names: { label_id: 'label' }, hidden: ['name'] } satisfies RouteOptions
/** Deprecated routes have the label as a parameter. */
const deprecatedOptions = { names: { label_id: 'label' }, deprecated: true } satisfies RouteOptions

export const labelRoutes = [
  route('GET /projects/:id/labels', labels.list, page(LabelWire)),
  route('POST /projects/:id/labels', labels.create, one(LabelWire)),
  route('GET /projects/:id/labels/:label_id', labels.get, one(LabelWire), labelOptions),
  route('PUT /projects/:id/labels/:label_id', labels.update, one(LabelWire), labelOptions),
  route('DELETE /projects/:id/labels/:label_id', labels.remove, empty(), labelOptions),
  route('PUT /projects/:id/labels/:label_id/promote', labels.promote, one(PromotedLabelWire), labelOptions),
  route(
    'POST /projects/:id/labels/:label_id/subscribe',
    labels.subscribe,
    oneIfChanged('label', LabelWire),
    labelOptions,
  ),
  route(
    'POST /projects/:id/labels/:label_id/unsubscribe',
    labels.unsubscribe,
    oneIfChanged('label', LabelWire),
    labelOptions,
  ),
  route('DELETE /projects/:id/labels', labels.remove, empty(), deprecatedOptions),
  route('PUT /projects/:id/labels', labels.update, one(LabelWire), deprecatedOptions),
  route('PUT /projects/:id/labels/promote', labels.promote, one(PromotedLabelWire), {
    names: { label_id: 'label' },
    hidden: ['label'],
    required: ['name'],
    deprecated: true,
  }),
]
