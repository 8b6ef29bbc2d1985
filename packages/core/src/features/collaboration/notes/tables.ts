import type { Generated, GeneratedAlways } from 'kysely'
import type { NoteType } from './note.ts'

export interface NoteTables {
  /** A comment or system note of exactly one noteable. */
  note: {
    id: Generated<number>
    issueId: number | null
    mergeRequestId: number | null
    snippetId: number | null
    epicId: number | null
    authorId: number
    body: string
    /** Whether this is a system note, which records a change. */
    system: boolean
    /** Whether only reporters and above and the author can read it. */
    internal: Generated<boolean>
    /** Null for a note outside of discussions. */
    type: Generated<NoteType | null>
    createdAt: string
    updatedAt: string
  }
  /** Comments of an issue, merge request or epic, without system notes: `kind` is one of `noteCountKinds`. Maintained by triggers. */
  noteCount: {
    kind: GeneratedAlways<number>
    itemId: GeneratedAlways<number>
    /** Those that are not internal. */
    public: GeneratedAlways<number>
    internal: GeneratedAlways<number>
  }
}
