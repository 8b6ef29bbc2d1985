import type { UserSummary } from '../../accounts/users/user.ts'
import type { Milestone } from '../../planning/milestones/milestone.ts'

export type ResourceEventKind = 'label' | 'milestone' | 'state' | 'weight'

export type ResourceState = 'closed' | 'reopened' | 'merged'

/** The state of an item when its milestone changed. */
export type ItemState = 'opened' | 'closed' | 'merged'

export type ResourceAction = 'add' | 'remove' | ResourceState

/** A change of an issue, a merge request or an epic. */
export interface ResourceEvent {
  /** Unique among the changes of labels, milestones, states and weights. */
  id: number
  /** The user who made the change; null for the host application and for removed users. */
  user: UserSummary | null
  /** Time of the change: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** Kind of the changed item. */
  resourceType: 'Issue' | 'MergeRequest' | 'Epic'
  /** Id of the changed item, unique on the instance (not the iid). */
  resourceId: number
}

/** A label as part of a change. */
export interface EventLabel {
  /** Unique on the instance. */
  id: number
  /** Name of the label. */
  name: string
  /** Background color: `#` and six hexadecimal digits. */
  color: string
  /** Description in Markdown; null without one. */
  description: string | null
}

/** A label was added or removed. */
export interface LabelEvent extends ResourceEvent {
  /** The label as it is now; null if it was removed from the project or group. */
  label: EventLabel | null
  /** Whether the label was added or removed. */
  action: 'add' | 'remove'
}

/** A milestone was set or removed. Setting another one removes the previous one. */
export interface MilestoneEvent extends ResourceEvent {
  /** The milestone as it is now. */
  milestone: Milestone
  /** Whether the milestone was set or removed. */
  action: 'add' | 'remove'
  /** The state of the item then. */
  state: ItemState | null
}

/** The item was closed, reopened or merged. */
export interface StateEvent extends ResourceEvent {
  /** The change of the state. */
  state: ResourceState
}

/** The weight of an issue was set or removed. */
export interface WeightEvent extends ResourceEvent {
  /** The weight after the change; null if it was removed. */
  weight: number | null
}

/** A change in a burndown chart of a milestone. */
export interface BurndownEvent {
  /** Time of the change: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** What happened to an issue of the milestone. */
  action: 'created' | 'closed' | 'reopened'
  /** The weight that the issue has now; null for none. */
  weight: number | null
}
