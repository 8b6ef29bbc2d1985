import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import type { CommitComment } from './comment.ts'
import type { CommentedCommit } from './comment-rows.ts'
import type { CommitDiscussion, CommitNote } from './discussion.ts'
import { findCommitDiscussion } from './discussion-queries.ts'
import type { CommitCommentTables } from './tables.ts'

type Row = CommitCommentTables['commitComment']

interface NewComment extends Pick<CommitComment, 'note' | 'path' | 'line' | 'lineType'> {
  /** For the host application only. Default: the current user. */
  readonly author?: number | string | undefined
  /** Id of the first comment of the discussion; `new` starts one. Default: an individual comment. */
  readonly discussion?: number | 'new'
  readonly position?: Row['position']
  /** ISO 8601 in UTC with milliseconds. Default: now. */
  readonly createdAt?: string | undefined
}

interface WrittenComment {
  readonly discussion: CommitDiscussion
  readonly note: CommitNote
}

const setDiscussion = (ctx: Context, id: number, discussion: number) =>
  ctx.db.updateTable('commitComment').set({ discussion }).where('id', '=', id).execute()

/** Makes an individual comment the first one of a discussion. */
export const startDiscussion = (ctx: Context, id: number) => setDiscussion(ctx, id, id)

const reload = async (ctx: Context, commit: CommentedCommit, first: number, id: number): Promise<WrittenComment> => {
  const discussion = defined(await findCommitDiscussion(ctx, commit, first))
  return { discussion, note: defined(discussion.notes.find((note) => note.id === id)) }
}

/** Writes a comment on a commit, and emits the signal. */
export async function writeComment(
  ctx: Context,
  commit: CommentedCommit,
  { author, discussion, position = null, createdAt = ctx.now, ...comment }: NewComment,
): Promise<WrittenComment> {
  const { id } = await ctx.db
    .insertInto('commitComment')
    .values({
      ...commit,
      ...comment,
      authorId: await resolveAuthorId(ctx, author),
      discussion: typeof discussion === 'number' ? discussion : null,
      position,
      createdAt,
      updatedAt: createdAt,
    } satisfies CompleteRow<'commitComment'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  if (discussion === 'new') await startDiscussion(ctx, id)
  const written = await reload(ctx, commit, typeof discussion === 'number' ? discussion : id, id)
  await ctx.emit('commitComment.created', { comment: written.note })
  return written
}

/** Changes the text of a comment, and emits the signal. */
export async function updateComment(
  ctx: Context,
  { projectId, sha, id }: CommentedCommit & { readonly id: number },
  first: number,
  note: string,
): Promise<CommitNote> {
  const isChanged = await updateChanged(ctx, 'commitComment', id, { note })
  const { note: comment } = await reload(ctx, { projectId, sha }, first, id)
  if (isChanged) await ctx.emit('commitComment.updated', { comment })
  return comment
}
