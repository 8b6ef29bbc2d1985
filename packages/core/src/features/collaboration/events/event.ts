import type { UserSummary } from '../../accounts/users/user.ts'
import type { PushRecord } from '../../code/repository/push.ts'
import type { Note } from '../notes/note.ts'

/** The actions that feeds can be filtered by: specification 1, "Activity events". */
export const eventActions = [
  'created',
  'updated',
  'closed',
  'reopened',
  'pushed',
  'commented',
  'merged',
  'joined',
  'left',
  'destroyed',
  'expired',
] as const

export type EventAction = (typeof eventActions)[number]

export type EventTargetKind = 'issue' | 'mergeRequest' | 'milestone' | 'note' | 'project'

/** The push of an event: the change of one branch or tag, or of many of one kind in a large push. */
export interface PushEventData extends Omit<PushRecord, 'ref'> {
  /** Name of the branch or tag, without `refs/heads/` or `refs/tags/`; null for many. */
  readonly ref: string | null
  /** Number of branches or tags of a large push; null for one. */
  readonly refCount: number | null
}

/** The event of many changes of one kind in a push. */
export const summarizePushes = ({ action, refType }: PushRecord, refCount: number): PushEventData => ({
  commitCount: 0,
  action,
  refType,
  commitFrom: null,
  commitTo: null,
  ref: null,
  commitTitle: null,
  refCount,
})

/** An activity event: specification 1, "Event". The title and the iid of the target are the current ones. */
export interface Event {
  /** Unique among events; later events have greater ids. */
  id: number
  /** Id of the project in which the action took place. */
  projectId: number
  /** Full path of the project. */
  projectPath: string
  /** Displayed action, such as `opened`, `pushed to`, `accepted` (merged) or `commented on`. */
  actionName: string
  /** Id, not iid, of the target; null for pushes and memberships. */
  targetId: number | null
  /** Iid of the target within its project; its id if it has none. Null without a target. */
  targetIid: number | null
  /** Kind of the target; null for pushes and memberships. */
  targetType: 'Issue' | 'MergeRequest' | 'Milestone' | 'Note' | 'Project' | null
  /** Current title of the target; for a note, that of the item it belongs to. Null without a target. */
  targetTitle: string | null
  /** Id of the user who acted. */
  authorId: number
  /** The user who acted. */
  author: UserSummary
  /** Time of the action; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** The comment; present only for comments. */
  note?: Note
  /** The pushed branch or tag, or many of them; present only for pushes. */
  pushData?: PushEventData
}

interface ActionNameInput {
  readonly action: EventAction
  readonly targetKind: EventTargetKind | null
  readonly push: Pick<PushRecord, 'action'> | null
  /** The project was imported from another platform. */
  readonly imported?: boolean
}

const pushActionNames = { created: 'pushed new', removed: 'deleted', pushed: 'pushed to' } as const

/** Names of actions that do not depend on the target. */
const actionNames: Partial<Readonly<Record<EventAction, string>>> = {
  closed: 'closed',
  merged: 'accepted',
  joined: 'joined',
  left: 'left',
  expired: 'removed due to membership expiration from',
  destroyed: 'destroyed',
  commented: 'commented on',
}

/** Returns the displayed action. Actions without a name of their own, such as `reopened` and `updated`, are `opened`. */
export const toActionName = ({ action, targetKind, push, imported = false }: ActionNameInput): string => {
  if (action === 'pushed') return pushActionNames[push?.action ?? 'pushed']
  if (action === 'created' && targetKind === 'project') return imported ? 'imported' : 'created'
  return actionNames[action] ?? 'opened'
}
