import type { UserSummary } from '../accounts/user.ts'
import type { Note } from '../notes/note.ts'

/** What lists can be filtered by: specification 1, "Activity events". */
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

/** Kinds of things that recorded events are about. */
export type EventTarget = 'issue' | 'mergeRequest' | 'milestone' | 'note' | 'project'

/** What a push did to one branch or tag. */
export interface PushRecord {
  /** Commits that came with it. */
  readonly commitCount: number
  readonly action: 'created' | 'removed' | 'pushed'
  readonly refType: 'branch' | 'tag'
  /** Null for a new branch or tag. */
  readonly commitFrom: string | null
  /** Null for a removed one. */
  readonly commitTo: string | null
  /** Its name, without `refs/heads/` or `refs/tags/`. */
  readonly ref: string
  /** First line of the last commit, at most 70 characters. */
  readonly commitTitle: string | null
}

/** An activity event as it is read: specification 1, "Event". Title and number of its target are those of this moment. */
export interface Event {
  id: number
  projectId: number
  /** How a reader is told of it: `opened`, `commented on`. */
  actionName: string
  targetId: number | null
  /** Number of the target within its project; its id where it has none. */
  targetIid: number | null
  targetType: 'Issue' | 'MergeRequest' | 'Milestone' | 'Note' | 'Project' | null
  /** For a note, the title of what it hangs on. */
  targetTitle: string | null
  authorId: number
  author: UserSummary
  createdAt: string
  /** Of comments only. */
  note?: Note
  /** Of pushes only. */
  pushData?: PushRecord
}

interface Wording {
  readonly action: EventAction
  readonly targetKind: EventTarget | null
  readonly push: Pick<PushRecord, 'action'> | null
  /** The project came from another platform. */
  readonly imported?: boolean
}

const pushed = { created: 'pushed new', removed: 'deleted', pushed: 'pushed to' } as const

/** Words for actions that read the same whatever they are done to. */
const words: Partial<Readonly<Record<EventAction, string>>> = {
  closed: 'closed',
  merged: 'accepted',
  joined: 'joined',
  left: 'left',
  expired: 'removed due to membership expiration from',
  destroyed: 'destroyed',
  commented: 'commented on',
}

/** How clients are told what was done. Whatever has no word of its own was opened: reopened and updated things too. */
export const actionName = ({ action, targetKind, push, imported = false }: Wording): string => {
  if (action === 'pushed') return pushed[push?.action ?? 'pushed']
  if (action === 'created' && targetKind === 'project') return imported ? 'imported' : 'created'
  return words[action] ?? 'opened'
}
