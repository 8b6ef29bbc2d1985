import * as v from 'valibot'
import { Id } from '../../../kernel/inputs.ts'
import {
  IntegerFilter,
  issuableFilterInput,
  issuableListInput,
  matchingInput,
  milestoneIdInput,
  type WithMilestoneId,
} from '../issuables/filters.ts'
import { issuableOrders } from '../issuables/order.ts'
import { healthStatuses, issueTypes } from './issue.ts'

const confidentialInput = {
  /** Only confidential issues (true) or only others (false). Default: both. */
  confidential: v.optional(v.boolean()),
}

const weightInput = {
  /** Weight of the issues. `None`: no weight, `Any`: any. */
  weight: v.optional(IntegerFilter),
}

const onlyIssuesInput = {
  ...confidentialInput,
  ...weightInput,
  /**
   * Id of the epic that contains the issues; one that the current user cannot read contains none. `None`: no epic, `Any`: any.
   * There are no epics without the paid tier.
   */
  epicId: v.optional(IntegerFilter),
  /** Health of the issues. `None`: an unknown one, `Any`: a known one. */
  healthStatus: v.optional(v.picklist([...healthStatuses, 'none', 'any', 'None', 'Any'])),
  /** Excludes issues that match any of these filters; each label and assignee counts separately. */
  not: v.optional(v.strictObject({ ...matchingInput, ...milestoneIdInput, ...weightInput })),
}

/** Input of operations that filter issues. */
export const filterInput = { ...issuableFilterInput, ...milestoneIdInput, ...onlyIssuesInput }

export const dueDates = [
  '0',
  'any',
  'today',
  'tomorrow',
  'overdue',
  'week',
  'month',
  'next_month_and_previous_two_weeks',
] as const

export type DueDate = (typeof dueDates)[number]

/** Input of lists of issues. */
export const listInput = {
  ...issuableListInput,
  ...onlyIssuesInput,
  /** Only open or only closed issues. Default: `all`. */
  state: v.optional(v.picklist(['opened', 'closed', 'all']), 'all'),
  /**
   * Only issues without a due date (`0`), with any, due today, tomorrow, this week (from Monday) or this month, overdue, or due
   * from two weeks ago until the end of the next month. Empty: no restriction.
   */
  dueDate: v.optional(v.picklist(['', ...dueDates])),
  /** Only issues that this user closed; an id. */
  closedById: v.optional(Id),
  /** Kind of issue. */
  issueType: v.optional(v.picklist(issueTypes)),
  /**
   * Value to sort by; equal values are sorted by id. `label_priority`: of the prioritized label with the smallest number,
   * `priority`: of the milestone's due date and then the labels, `popularity`: the number of `thumbsup` emoji,
   * `relative_position`: the manual order of `issues.reorder`, in which new issues are last. Default:
   * `created_at`.
   */
  orderBy: v.optional(v.picklist([...issuableOrders, 'due_date', 'relative_position', 'weight']), 'created_at'),
}

type Parsed<E extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<E, undefined>>

export type IssueFilters = Parsed<typeof filterInput>
/** The filters that can also be negated. */
export type IssueMatchingFilters = NonNullable<IssueFilters['not']>
export type IssueListInput = WithMilestoneId<Parsed<typeof listInput>>
