import type { Generated } from 'kysely'
import type { EventAction, EventTarget, PushRecord } from './event.ts'

export interface EventTables {
  /** Something that somebody did in a project. */
  event: {
    id: Generated<number>
    projectId: number
    authorId: number
    action: EventAction
    /** Null for a push or a membership. */
    targetKind: EventTarget | null
    /** What it was done to; for a note, what the note hangs on. */
    issueId: number | null
    mergeRequestId: number | null
    milestoneId: number | null
    snippetId: number | null
    noteId: number | null
    push: PushRecord | null
    createdAt: string
  }
}
