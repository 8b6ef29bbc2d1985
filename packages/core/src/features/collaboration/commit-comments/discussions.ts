import type { Subjects } from '../../../contract/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { PagingInput } from '../../../kernel/paging.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { defined } from '../../../shared/defined.ts'
import { readCreationTime } from '../../planning/issuables/backdating.ts'
import { parseDiscussionId } from '../../planning/issuables/discussion-id.ts'
import type { Position } from '../discussions/discussion.ts'
import { assertCompletePosition, toPosition } from '../discussions/position.ts'
import { verifyCommitPosition } from '../discussions/verify-position.ts'
import { assertValidBody } from '../notes/mutations.ts'
import type { CommentedCommit } from './comment-rows.ts'
import { withCommit } from './commit.ts'
import { findCommitDiscussion, listCommitDiscussions } from './discussion-queries.ts'
import { startDiscussion, updateComment, writeComment } from './mutations.ts'

/** The operations of `discussions` for commits. */

type Commit = Subjects['commit']
type Comment = Subjects['commitComment']

interface NewNote {
  readonly body: string
  readonly author?: number | string | undefined
  readonly createdAt?: string | undefined
}

/** The line of the comment that the position refers to. */
const toLine = (position: Position | undefined) => {
  const { newPath = null, oldPath = null, newLine = null, oldLine = null } = position ?? {}
  const line = newLine ?? oldLine
  if (line === null) return { path: null, line: null, lineType: null } as const
  return { path: newLine === null ? oldPath : newPath, line, lineType: newLine === null ? 'old' : 'new' } as const
}

const getDiscussion = async (ctx: Context, commit: CommentedCommit, id: string) => {
  const first = parseDiscussionId(id)
  const discussion = first === undefined ? undefined : await findCommitDiscussion(ctx, commit, first)
  if (first === undefined || discussion === undefined) throw notFound('Discussion')
  return { first, discussion }
}

/**
 * Returns a comment, and the id of the first comment of its discussion.
 *
 * @throws PlatformError `not_found` if the comment is not part of the discussion on the commit
 */
const getComment = async (ctx: Context, commit: CommentedCommit, discussion: string, id: number) => {
  const { first, discussion: found } = await getDiscussion(ctx, commit, discussion)
  const comment = found.notes.find((note) => note.id === id)
  if (comment === undefined) throw notFound('Note')
  return { first, comment }
}

const readInstant = (ctx: Context, subject: Commit, createdAt: string | undefined) =>
  readCreationTime(createdAt, () => hasAbility<'commit'>(ctx.actor, subject, 'note.backdate'))

export const listDiscussionsOfCommit = (ctx: Context, subject: Commit, paging: PagingInput) =>
  withCommit(ctx, subject, subject.sha, (commit, { read }) =>
    read((later) => listCommitDiscussions(later, commit, paging)),
  )

export const getDiscussionOfCommit = (ctx: Context, subject: Commit, discussion: string) =>
  withCommit(ctx, subject, subject.sha, (commit, { read }) =>
    read(async (later) => (await getDiscussion(later, commit, discussion)).discussion),
  )

export const getNoteOfCommit = (ctx: Context, { comment, sha, ...subject }: Comment, discussion: string) =>
  withCommit(ctx, subject, sha, (commit, { read }) =>
    read(async (later) => (await getComment(later, commit, discussion, comment.id)).comment),
  )

/** @throws PlatformError `invalid_input` for an incomplete position, `invalid` for one outside the diff */
export const createDiscussionOfCommit = (
  ctx: Context,
  subject: Commit,
  {
    body,
    author,
    createdAt,
    position: positionInput,
  }: NewNote & { readonly position?: Parameters<typeof toPosition>[0] | undefined },
) => {
  assertValidBody(body, 'create')
  const position = positionInput && toPosition(positionInput)
  if (position) assertCompletePosition(position)
  const instant = readInstant(ctx, subject, createdAt)
  return withCommit(ctx, subject, subject.sha, async (commit, { write }, repository) => {
    const verified = position && (await verifyCommitPosition(repository, commit.sha, position))
    const comment = {
      ...{ note: body, author, ...toLine(verified), position: verified ?? null, createdAt: instant },
      discussion: 'new',
    } as const
    return write(async (later) => (await writeComment(later, commit, comment)).discussion)
  })
}

export const replyToCommit = (
  ctx: Context,
  subject: Commit,
  { discussion, body, author, createdAt }: NewNote & { readonly discussion: string },
) => {
  assertValidBody(body, 'create')
  const instant = readInstant(ctx, subject, createdAt)
  return withCommit(ctx, subject, subject.sha, (commit, { write }) =>
    write(async (later) => {
      const { first, discussion: found } = await getDiscussion(later, commit, discussion)
      if (found.individualNote) await startDiscussion(later, first)
      const comment = { note: body, author, ...toLine(undefined), discussion: first, createdAt: instant }
      return (await writeComment(later, commit, comment)).note
    }),
  )
}

export const updateNoteOfCommit = (
  ctx: Context,
  { comment, sha, ...subject }: Comment,
  { discussion, body }: { readonly discussion: string; readonly body?: string | undefined },
) => {
  const text = defined(body)
  assertValidBody(text, 'update')
  return withCommit(ctx, subject, sha, (commit, { write }) =>
    write(async (later) => {
      const { first } = await getComment(later, commit, discussion, comment.id)
      return updateComment(later, comment, first, text)
    }),
  )
}

export const removeNoteOfCommit = async (ctx: Context, { comment, sha, ...subject }: Comment, discussion: string) => {
  await assertRowUnmodified(ctx, 'commitComment', comment.id)
  return withCommit(ctx, subject, sha, (commit, { write }) =>
    write(async (later) => {
      await getComment(later, commit, discussion, comment.id)
      await later.db.deleteFrom('commitComment').where('id', '=', comment.id).execute()
    }),
  )
}
