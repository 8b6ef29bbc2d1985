import { container } from '../../access/subjects.ts'
import { Id } from '../../kernel/inputs.ts'
import { query } from '../../kernel/operation.ts'
import { pagingEntries } from '../../kernel/paging.ts'
import { oneOf } from '../../policy/compose-subjects.ts'
import { epic, epicById } from '../epics/subject.ts'
import { issue } from '../issues/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { assertOwnMilestone } from '../milestones/queries.ts'
import { listBurndownEvents } from './burndown.ts'
import { labelEvents, milestoneEvents, stateEvents, weightEvents } from './queries.ts'

const resource = oneOf(issue, mergeRequest)
const resourceOrEpic = oneOf(issue, mergeRequest, epic, epicById)

const eventInput = {
  /** Id of a change of this item. */
  event: Id,
}

/** Changes of labels, milestones, states and weights of issues, merge requests and epics, as far as these have them. */
export const resourceEvents = {
  /** Lists the labels that were added to and removed from an item, oldest first. */
  listLabelEvents: query({
    on: resourceOrEpic,
    can: 'resourceEvent.read',
    input: pagingEntries,
    run: (ctx, paging, subject) => labelEvents.list(ctx, subject, paging),
  }),

  /** Gets a change of the labels of an item. */
  getLabelEvent: query({
    on: resourceOrEpic,
    can: 'resourceEvent.read',
    input: eventInput,
    run: (ctx, { event }, subject) => labelEvents.get(ctx, subject, event),
  }),

  /** Lists the milestones that an item was added to and removed from, oldest first. Those of removed milestones are left out. */
  listMilestoneEvents: query({
    on: resource,
    can: 'resourceEvent.read',
    input: pagingEntries,
    run: (ctx, paging, subject) => milestoneEvents.list(ctx, subject, paging),
  }),

  /** Gets a change of the milestone of an item. */
  getMilestoneEvent: query({
    on: resource,
    can: 'resourceEvent.read',
    input: eventInput,
    run: (ctx, { event }, subject) => milestoneEvents.get(ctx, subject, event),
  }),

  /** Lists the times when an item was closed, reopened or merged, oldest first. */
  listStateEvents: query({
    on: resourceOrEpic,
    can: 'resourceEvent.read',
    input: pagingEntries,
    run: (ctx, paging, subject) => stateEvents.list(ctx, subject, paging),
  }),

  /** Gets a change of the state of an item. */
  getStateEvent: query({
    on: resourceOrEpic,
    can: 'resourceEvent.read',
    input: eventInput,
    run: (ctx, { event }, subject) => stateEvents.get(ctx, subject, event),
  }),

  /** Lists the weights that an issue was given, oldest first. */
  listWeightEvents: query({
    on: issue,
    can: 'resourceEvent.read',
    input: pagingEntries,
    run: (ctx, paging, subject) => weightEvents.list(ctx, subject, paging),
  }),

  /** Gets a change of the weight of an issue. */
  getWeightEvent: query({
    on: issue,
    can: 'resourceEvent.read',
    input: eventInput,
    run: (ctx, { event }, subject) => weightEvents.get(ctx, subject, event),
  }),

  /**
   * Lists the times when the issues of a milestone were created, closed and reopened, oldest first. Only issues that are in the
   * milestone now and that the caller can read.
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
