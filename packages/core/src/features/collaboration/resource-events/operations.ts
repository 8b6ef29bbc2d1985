import type * as v from 'valibot'
import { container } from '../../../access/subjects.ts'
import { Id } from '../../../kernel/inputs.ts'
import { query, type SubjectLoader } from '../../../kernel/operation.ts'
import { pagingEntries } from '../../../kernel/paging.ts'
import { oneOf } from '../../../policy/compose-subjects.ts'
import { epic, epicById } from '../../planning/epics/subject.ts'
import { issue } from '../../planning/issues/subject.ts'
import { assertOwnMilestone } from '../../planning/milestones/queries.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { listBurndownEvents } from './burndown.ts'
import { type EventReader, labelEvents, milestoneEvents, type Resource, stateEvents, weightEvents } from './queries.ts'

const resource = oneOf(issue, mergeRequest)
const resourceOrEpic = oneOf(issue, mergeRequest, epic, epicById)

const eventInput = {
  /** Id of a change of this item. */
  event: Id,
}

/** The operations that read one kind of changes of an item. */
const defineReads = <K extends Resource['kind'], E extends v.ObjectEntries, G, T>(
  on: SubjectLoader<K, E, G>,
  events: EventReader<T>,
) => ({
  list: query({
    on,
    can: 'resourceEvent.read',
    input: pagingEntries,
    run: (ctx, paging, subject) => events.list(ctx, subject, paging),
  }),
  get: query({
    on,
    can: 'resourceEvent.read',
    input: eventInput,
    run: (ctx, { event }, subject) => events.get(ctx, subject, event),
  }),
})

const ofLabels = defineReads(resourceOrEpic, labelEvents)
const ofMilestones = defineReads(resource, milestoneEvents)
const ofStates = defineReads(resourceOrEpic, stateEvents)
const ofWeights = defineReads(issue, weightEvents)

/** Changes of labels, milestones, states and weights of issues, merge requests and epics, as far as these have them. */
export const resourceEvents = {
  /** Lists the labels that were added to and removed from an item, oldest first. */
  listLabelEvents: ofLabels.list,

  /** Gets a change of the labels of an item. */
  getLabelEvent: ofLabels.get,

  /** Lists the milestones that an item was added to and removed from, oldest first. Those of removed milestones are left out. */
  listMilestoneEvents: ofMilestones.list,

  /** Gets a change of the milestone of an item. */
  getMilestoneEvent: ofMilestones.get,

  /** Lists the times when an item was closed, reopened or merged, oldest first. */
  listStateEvents: ofStates.list,

  /** Gets a change of the state of an item. */
  getStateEvent: ofStates.get,

  /** Lists the weights that an issue was given, oldest first. */
  listWeightEvents: ofWeights.list,

  /** Gets a change of the weight of an issue. */
  getWeightEvent: ofWeights.get,

  /**
   * Lists the times when the issues of a milestone were created, closed and reopened, oldest first. Only issues that are in the
   * milestone now and that the current user can read.
   */
  listBurndownEvents: query({
    on: container,
    can: 'milestone.read',
    tier: 'paid',
    input: {
      ...pagingEntries,
      /** Id of a milestone of the project or group. */
      milestoneId: Id,
    },
    async run(ctx, { milestoneId, ...paging }, subject) {
      await assertOwnMilestone(ctx, subject, milestoneId)
      return listBurndownEvents(ctx, milestoneId, paging)
    },
  }),
}
