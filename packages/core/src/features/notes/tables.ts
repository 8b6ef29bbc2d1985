import type { Generated } from 'kysely'
import type { NoteType } from './note.ts'

export interface NoteTables {
  /** A comment on, or a record of a change to, exactly one thing. */
  note: {
    id: Generated<number>
    issueId: number | null
    mergeRequestId: number | null
    snippetId: number | null
    epicId: number | null
    authorId: number
    body: string
    /** The record of a change; a comment otherwise. */
    system: boolean
    /** Part of a discussion, or a remark at a place in changes; null for a note that stands by itself. */
    type: Generated<NoteType | null>
    createdAt: string
    updatedAt: string
  }
}
