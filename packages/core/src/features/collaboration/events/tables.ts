import type { Generated } from 'kysely'
import type { EventAction, EventTargetKind, PushEventData } from './event.ts'

export interface EventTables {
  /** An action of a user in a project. */
  event: {
    id: Generated<number>
    projectId: number
    authorId: number
    action: EventAction
    /** Null for a push or a membership. */
    targetKind: EventTargetKind | null
    /** The target; for a note, its noteable. */
    issueId: number | null
    mergeRequestId: number | null
    milestoneId: number | null
    snippetId: number | null
    noteId: number | null
    /** Whether the event is about an internal note. */
    internal: Generated<boolean>
    /** Events of earlier versions have no `refCount`. */
    push: (Omit<PushEventData, 'refCount'> & Partial<Pick<PushEventData, 'refCount'>>) | null
    createdAt: string
  }
}
