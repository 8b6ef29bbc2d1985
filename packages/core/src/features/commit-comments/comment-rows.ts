import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import type { CommitComment } from './comment.ts'
import type { CommitCommentTables } from './tables.ts'

/** A commit of a project. */
export interface CommentedCommit {
  readonly projectId: number
  /** The full id of the commit. */
  readonly sha: string
}

type Row = CommitCommentTables['commitComment']

interface NewComment extends Pick<CommitComment, 'note' | 'path' | 'line' | 'lineType'> {
  /** For the host application only. Default: the caller. */
  readonly author?: number | string | undefined
  readonly discussion?: Row['discussion']
  readonly position?: Row['position']
  /** ISO 8601 in UTC with milliseconds. Default: now. */
  readonly createdAt?: string | undefined
}

/** The comments on a commit. */
export const selectComments = ({ db }: Context, { projectId, sha }: CommentedCommit) =>
  db.selectFrom('commitComment').where('projectId', '=', projectId).where('sha', '=', sha)

export const insertComment = async (
  ctx: Context,
  commit: CommentedCommit,
  { author, discussion = null, position = null, createdAt = ctx.now, ...comment }: NewComment,
): Promise<{ readonly id: number; readonly authorId: number }> => {
  const authorId = await resolveAuthorId(ctx, author)
  const { id } = await ctx.db
    .insertInto('commitComment')
    .values({
      ...commit,
      ...comment,
      authorId,
      discussion,
      position,
      createdAt,
      updatedAt: createdAt,
    } satisfies CompleteRow<'commitComment'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, authorId }
}
