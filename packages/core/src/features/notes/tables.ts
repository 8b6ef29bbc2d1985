import type { Generated } from 'kysely'

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
    createdAt: string
    updatedAt: string
  }
}
