import { features, type Label } from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { changed, empty, one, page } from '../send.ts'
import { wire } from '../wire.ts'

const { labels } = features

/** What a promoted label answers with: specification 1, "Label". */
const promoted = {
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

const PromotedLabelWire = wire<Label>()(promoted)

const LabelWire = wire<Label>()({
  ...promoted,
  text_color: v.string(),
  priority: v.nullable(v.number()),
  is_project_label: v.boolean(),
})

/** The label is named in the path: by id or title. */
const inPath = { names: { label_id: 'label' }, omit: ['name'] } as const
/** Older forms name it among the parameters. */
const byParameter = { names: { label_id: 'label' }, deprecated: true } as const

export const labelRoutes = [
  route('GET /projects/:id/labels', labels.list, page(LabelWire)),
  route('POST /projects/:id/labels', labels.create, one(LabelWire)),
  route('GET /projects/:id/labels/:label_id', labels.get, one(LabelWire), inPath),
  route('PUT /projects/:id/labels/:label_id', labels.update, one(LabelWire), inPath),
  route('DELETE /projects/:id/labels/:label_id', labels.remove, empty(), inPath),
  route('PUT /projects/:id/labels/:label_id/promote', labels.promote, one(PromotedLabelWire), inPath),
  route('POST /projects/:id/labels/:label_id/subscribe', labels.subscribe, changed('label', LabelWire), inPath),
  route('POST /projects/:id/labels/:label_id/unsubscribe', labels.unsubscribe, changed('label', LabelWire), inPath),
  route('DELETE /projects/:id/labels', labels.remove, empty(), byParameter),
  route('PUT /projects/:id/labels', labels.update, one(LabelWire), byParameter),
  route('PUT /projects/:id/labels/promote', labels.promote, one(PromotedLabelWire), {
    names: { label_id: 'label' },
    omit: ['label'],
    require: ['name'],
    deprecated: true,
  }),
]
