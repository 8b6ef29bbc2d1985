import type { Generated } from 'kysely'
import type { Position } from '../discussions/discussion.ts'
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
    /** Id of the first comment of the discussion, which may be removed; null outside of discussions. */
    discussion: number | null
    /** Position in the diff of the commit; stored with the first comment of a discussion only. */
    position: Position | null
    createdAt: string
    updatedAt: string
  }
}
