import { features } from '@forgelet/core/operations'
import { empty, one, oneIfChanged, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { LabelWire, PromotedLabelWire } from '../shapes/label.ts'

const { labels } = features

/** The path contains the label's id or title. */
const labelOptions = { names: { label_id: 'label' }, hidden: ['name'] } satisfies RouteOptions
/** Deprecated routes have the label as a parameter. */
const deprecatedOptions = { names: { label_id: 'label' }, deprecated: true } satisfies RouteOptions

/** Projects have no labels below them. */
const ownLabels = ['includeDescendantGroups', 'onlyGroupLabels'] as const

const extension = { extension: true } satisfies RouteOptions
const groupPath = '/groups/:id/labels'

/** Labels of groups have no priorities, and no parameter for them. */
const groupLabelRoutes = [
  route(`GET ${groupPath}`, labels.list, page(LabelWire), extension),
  route(`POST ${groupPath}`, labels.create, one(LabelWire), { ...extension, hidden: ['priority'] }),
  route(`GET ${groupPath}/:label_id`, labels.get, one(LabelWire), { ...labelOptions, ...extension }),
  route(`PUT ${groupPath}/:label_id`, labels.update, one(LabelWire), {
    ...labelOptions,
    ...extension,
    hidden: ['name', 'priority'],
  }),
  route(`DELETE ${groupPath}/:label_id`, labels.remove, empty(), { ...labelOptions, ...extension }),
  route(`POST ${groupPath}/:label_id/subscribe`, labels.subscribe, oneIfChanged('label', LabelWire), {
    ...labelOptions,
    ...extension,
  }),
  route(`POST ${groupPath}/:label_id/unsubscribe`, labels.unsubscribe, oneIfChanged('label', LabelWire), {
    ...labelOptions,
    ...extension,
  }),
  route(`PUT ${groupPath}`, labels.update, one(LabelWire), {
    ...deprecatedOptions,
    ...extension,
    hidden: ['priority'],
  }),
  route(`DELETE ${groupPath}`, labels.remove, empty(), { ...deprecatedOptions, ...extension }),
]

export const labelRoutes = [
  route('GET /projects/:id/labels', labels.list, page(LabelWire), { hidden: ownLabels }),
  route('POST /projects/:id/labels', labels.create, one(LabelWire)),
  route('GET /projects/:id/labels/:label_id', labels.get, one(LabelWire), {
    ...labelOptions,
    hidden: [...labelOptions.hidden, ...ownLabels],
  }),
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
  ...groupLabelRoutes,
]
