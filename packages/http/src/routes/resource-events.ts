import type { Page } from '@forgelet/core'
import {
  type BurndownEvent,
  type EventLabel,
  features,
  type LabelEvent,
  type MilestoneEvent,
  type Operation,
  type ResourceEvent,
  type StateEvent,
  type WeightEvent,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableInteger, NullableText } from '../reply/field-types.ts'
import { one, page } from '../reply/responders.ts'
import { computed, nullable, type Wire, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { MilestoneWire } from '../shapes/milestone.ts'
import { UserSummaryWire } from '../shapes/user.ts'
import { listOtherInputs, noteablePaths } from './noteable-paths.ts'

const {
  listLabelEvents,
  getLabelEvent,
  listMilestoneEvents,
  getMilestoneEvent,
  listStateEvents,
  getStateEvent,
  listWeightEvents,
  getWeightEvent,
  listBurndownEvents,
} = features.resourceEvents

const eventFields = {
  id: Integer,
  user: computed(nullable(UserSummaryWire), ({ user }: ResourceEvent) => user),
  created_at: DateTime,
  resource_type: v.string(),
  resource_id: Integer,
}

const EventLabelWire = wire<EventLabel>('EventLabel')({
  id: Integer,
  name: v.string(),
  color: v.string(),
  description: NullableText,
})

/** A label was added or removed. */
const LabelEventWire = wire<LabelEvent>('LabelEvent')({
  ...eventFields,
  label: nullable(EventLabelWire),
  action: v.string(),
})

/** A milestone was set or removed. */
const MilestoneEventWire = wire<MilestoneEvent>('MilestoneEvent')({
  ...eventFields,
  milestone: MilestoneWire,
  action: v.string(),
  state: NullableText,
})

/** An issue, merge request or epic was closed, reopened or merged. */
const StateEventWire = wire<StateEvent>('StateEvent')({ ...eventFields, state: v.string() })

/** The weight of an issue was set or removed. */
const WeightEventWire = wire<WeightEvent>('WeightEvent')({
  ...eventFields,
  /** Id of the issue, unique on the instance (not the iid). */
  issue_id: computed(Integer, ({ resourceId }: WeightEvent) => resourceId),
  weight: NullableInteger,
})

/** A change in a burndown chart. */
const BurndownEventWire = wire<BurndownEvent>('BurndownEvent')({
  created_at: DateTime,
  action: v.string(),
  weight: NullableInteger,
})

/** The items with changes. */
const items = noteablePaths.filter(({ input }) => input !== 'snippet')

/** Not in the specification; dashboards read them. */
export const resourceEventRoutes = [
  ...items.flatMap(({ base, parameter, input }) => {
    const options = {
      extension: true,
      names: { [parameter]: input },
      hidden: listOtherInputs(input),
    } satisfies RouteOptions
    // biome-ignore-start lint/suspicious/noExplicitAny: the inputs name different items
    const listAndGet = <T>(
      kind: string,
      list: Operation<any, Page<T>>,
      get: Operation<any, T>,
      shape: Wire<T, any>,
      // biome-ignore-end lint/suspicious/noExplicitAny: as above
    ) => [
      route(`GET ${base}/resource_${kind}_events`, list, page(shape), options),
      route(`GET ${base}/resource_${kind}_events/:resource_${kind}_event_id`, get, one(shape), {
        ...options,
        names: { ...options.names, [`resource_${kind}_event_id`]: 'event' },
      }),
    ]
    return [
      ...listAndGet('label', listLabelEvents, getLabelEvent, LabelEventWire),
      ...listAndGet('state', listStateEvents, getStateEvent, StateEventWire),
      ...(input === 'epicId'
        ? []
        : listAndGet('milestone', listMilestoneEvents, getMilestoneEvent, MilestoneEventWire)),
      ...(input === 'issue' ? listAndGet('weight', listWeightEvents, getWeightEvent, WeightEventWire) : []),
    ]
  }),
  ...(['/projects/:id/milestones', '/groups/:id/milestones'] as const).map((base) =>
    route(`GET ${base}/:milestone_id/burndown_events`, listBurndownEvents, page(BurndownEventWire), {
      extension: true,
    }),
  ),
]
