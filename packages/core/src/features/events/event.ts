import type { UserSummary } from '../accounts/user.ts'
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

/** The change of one branch or tag by a push. */
export interface PushRecord {
  /** Number of pushed commits. */
  readonly commitCount: number
  readonly action: 'created' | 'removed' | 'pushed'
  readonly refType: 'branch' | 'tag'
  /** Null for a new branch or tag. */
  readonly commitFrom: string | null
  /** Null for a removed branch or tag. */
  readonly commitTo: string | null
  /** Branch or tag name, without `refs/heads/` or `refs/tags/`. */
  readonly ref: string
  /** First line of the last commit's message, at most 70 characters. */
  readonly commitTitle: string | null
}

/** An activity event: specification 1, "Event". The title and the iid of the target are the current ones. */
export interface Event {
  id: number
  projectId: number
  /** The displayed action: `opened`, `commented on`. */
  actionName: string
  targetId: number | null
  /** Iid of the target within its project; its id if it has no iid. */
  targetIid: number | null
  targetType: 'Issue' | 'MergeRequest' | 'Milestone' | 'Note' | 'Project' | null
  /** For a note, the title of its noteable. */
  targetTitle: string | null
  authorId: number
  author: UserSummary
  createdAt: string
  /** Only for comments. */
  note?: Note
  /** Only for pushes. */
  pushData?: PushRecord
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
