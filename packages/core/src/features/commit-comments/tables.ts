import type { Generated } from 'kysely'
import type { CommitComment } from './comment.ts'

export interface CommitCommentTables {
  /** A comment on a commit. The repository may lose the commit; the comment remains. */
  commitComment: {
    id: Generated<number>
    projectId: number
    /** The full id of the commit. */
    sha: string
    authorId: number
    note: string
    path: string | null
    line: number | null
    lineType: CommitComment['lineType']
    createdAt: string
  }
}
