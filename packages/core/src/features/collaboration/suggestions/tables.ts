import type { Generated } from 'kysely'

export interface SuggestionTables {
  /** A change of lines that a note on the diff of a merge request proposes. */
  suggestion: {
    id: Generated<number>
    noteId: number
    /** Path of the file in the commit `headSha`. */
    path: string
    /** The commit of the source branch whose lines `fromLine` and `toLine` are. */
    headSha: string
    fromLine: number
    toLine: number
    fromContent: string
    toContent: string
    /** Whether the lines were changed by another commit. */
    outdated: boolean
    /** The commit that applied it; null before. */
    commitId: string | null
  }
}
