import type { Context } from '../../../kernel/context.ts'
import { type Page, type PagingInput, paginate } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { formatDiscussionId } from '../../planning/issuables/discussion-id.ts'
import { type CommentedCommit, selectComments } from './comment-rows.ts'
import type { CommitCommentRecord, CommitDiscussion, CommitNote } from './discussion.ts'

const loadNotes = async (ctx: Context, { projectId, sha }: CommentedCommit, discussions: readonly number[]) => {
  const rows = await selectComments(ctx, { projectId, sha })
    .where((eb) => eb.or([eb('id', 'in', discussions), eb('discussion', 'in', discussions)]))
    .orderBy('id')
    .select(['id', 'authorId', 'note as body', 'discussion', 'position', 'createdAt', 'updatedAt'])
    .execute()
  const authors = await userSummaries(
    ctx,
    rows.map(({ authorId }) => authorId),
  )
  return rows.map((row) => ({ ...row, projectId, sha, author: defined(authors.get(row.authorId)) }))
}

/** Commits have no system notes and no internal ones, and their discussions cannot be resolved. */
const commitFields = {
  attachment: null,
  noteableId: null,
  noteableType: 'Commit',
  noteableIid: null,
  system: false,
  internal: false,
  confidential: false,
  resolvable: false,
  resolved: false,
  resolvedBy: null,
  resolvedAt: null,
} as const

/** All comments of a discussion have the position of the first one. */
const toDiscussion = (first: number, rows: Awaited<ReturnType<typeof loadNotes>>): CommitDiscussion => {
  const own = rows.filter(({ id, discussion }) => (discussion ?? id) === first)
  const individualNote = own.every(({ discussion }) => discussion === null)
  const position = own.find((row) => row.position !== null)?.position ?? null
  const type = individualNote ? null : position === null ? 'DiscussionNote' : 'DiffNote'
  const notes = own.map(({ discussion: _, ...note }): CommitNote => ({ ...note, ...commitFields, type, position }))
  return { id: formatDiscussionId(first), individualNote, notes }
}

/** A page of the discussions on a commit, oldest first. */
export async function listCommitDiscussions(
  ctx: Context,
  commit: CommentedCommit,
  paging: PagingInput,
): Promise<Page<CommitDiscussion>> {
  const first = selectComments(ctx, commit)
    .groupBy((eb) => eb.fn.coalesce('discussion', 'id'))
    .select((eb) => eb.fn.coalesce('discussion', 'id').as('first'))
    .orderBy('first')
  const page = await paginate(first, paging, (row): number => Number(row.first))
  const rows = page.items.length ? await loadNotes(ctx, commit, page.items) : []
  return { ...page, items: page.items.map((id) => toDiscussion(id, rows)) }
}

/** Finds a discussion on a commit by the id of its first comment. */
export async function findCommitDiscussion(
  ctx: Context,
  commit: CommentedCommit,
  first: number,
): Promise<CommitDiscussion | undefined> {
  const discussion = toDiscussion(first, await loadNotes(ctx, commit, [first]))
  return discussion.notes.length ? discussion : undefined
}

/** A comment by its id, without a permission check. */
export const findComment = (ctx: Context, id: number): Promise<CommitCommentRecord | undefined> =>
  ctx.db
    .selectFrom('commitComment')
    .where('id', '=', id)
    .select(['id', 'projectId', 'sha', 'authorId'])
    .executeTakeFirst()
