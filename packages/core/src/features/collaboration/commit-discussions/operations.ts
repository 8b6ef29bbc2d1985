import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Id, IdOrName, Instant } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { pagingEntries } from '../../../kernel/paging.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { readCreationTime } from '../../planning/issuables/backdating.ts'
import type { CommentedCommit } from '../commit-comments/comment-rows.ts'
import { CommentText, shaInput, withCommit } from '../commit-comments/commit.ts'
import { findCommitDiscussion, listCommitDiscussions } from '../commit-comments/discussion-queries.ts'
import { startDiscussion, updateComment, writeComment } from '../commit-comments/mutations.ts'
import { commitComment } from '../commit-comments/subject.ts'
import { type Position, parseDiscussionId } from '../discussions/discussion.ts'
import { assertCompletePosition, PositionInput, toPosition } from '../discussions/position.ts'
import { verifyCommitPosition } from '../discussions/verify-position.ts'

const discussionInput = {
  ...shaInput,
  /** Id of the discussion, 40 hexadecimal digits. */
  discussion: v.pipe(v.string(), v.maxLength(40)),
}

const noteInput = {
  /** Text in Markdown, 1 to 1,000,000 characters. */
  body: CommentText,
  /**
   * Time of creation for imports; ISO 8601, UTC without an offset. Ignored unless the current user is an owner or administrator.
   * Default: now.
   */
  createdAt: v.optional(Instant),
  /** Id or username of the author; for the host application only. Default: the current user. */
  author: v.optional(IdOrName),
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

const mayBackdate = (ctx: Context, subject: Subjects['project']) => () =>
  hasAbility<'project'>(ctx.actor, subject, 'code.backdateComment')

/** Threads of comments on commits. A comment without replies is a discussion of its own. */
export const commitDiscussions = {
  /** Lists the discussions on a commit, oldest first. */
  list: query({
    on: project,
    can: 'code.read',
    input: { ...pagingEntries, ...shaInput },
    run: (ctx, { sha, ...paging }, subject) =>
      withCommit(ctx, subject, sha, (commit, { read }) =>
        read((later) => listCommitDiscussions(later, commit, paging)),
      ),
  }),

  /** Gets a discussion on a commit. */
  get: query({
    on: project,
    can: 'code.read',
    input: discussionInput,
    run: (ctx, { sha, discussion }, subject) =>
      withCommit(ctx, subject, sha, (commit, { read }) =>
        read(async (later) => (await getDiscussion(later, commit, discussion)).discussion),
      ),
  }),

  /** Gets a comment of a discussion on a commit. */
  getNote: query({
    on: project,
    can: 'code.read',
    input: {
      ...discussionInput,
      /** Id of a comment of the discussion. */
      note: Id,
    },
    run: (ctx, { sha, discussion, note }, subject) =>
      withCommit(ctx, subject, sha, (commit, { read }) =>
        read(async (later) => (await getComment(later, commit, discussion, note)).comment),
      ),
  }),

  /**
   * Starts a discussion on a commit, optionally at a position in its diff. Sends no notifications.
   *
   * @throws PlatformError `invalid_input` for an incomplete position, `invalid` for one outside the diff
   */
  create: command({
    on: project,
    can: 'code.comment',
    serializes: 'project',
    input: {
      ...shaInput,
      ...noteInput,
      /** Position in the diff of the commit. Default: none, for a discussion of the whole commit. */
      position: v.optional(PositionInput),
    },
    run(ctx, { sha, body, author, createdAt, position: positionInput }, subject) {
      const position = positionInput && toPosition(positionInput)
      if (position) assertCompletePosition(position)
      const instant = readCreationTime(createdAt, mayBackdate(ctx, subject))
      return withCommit(ctx, subject, sha, async (commit, { write }, repository) => {
        const verified = position && (await verifyCommitPosition(repository, commit.sha, position))
        const comment = {
          ...{ note: body, author, ...toLine(verified), position: verified ?? null, createdAt: instant },
          discussion: 'new',
        } as const
        return write(async (later) => (await writeComment(later, commit, comment)).discussion)
      })
    },
  }),

  /** Adds a comment to a discussion on a commit and returns it. The first reply makes an individual comment a discussion. */
  reply: command({
    on: project,
    can: 'code.comment',
    serializes: 'project',
    input: { ...discussionInput, ...noteInput },
    run(ctx, { sha, discussion, body, author, createdAt }, subject) {
      const instant = readCreationTime(createdAt, mayBackdate(ctx, subject))
      return withCommit(ctx, subject, sha, (commit, { write }) =>
        write(async (later) => {
          const { first, discussion: found } = await getDiscussion(later, commit, discussion)
          if (found.individualNote) await startDiscussion(later, first)
          const comment = { note: body, author, ...toLine(undefined), discussion: first, createdAt: instant }
          return (await writeComment(later, commit, comment)).note
        }),
      )
    },
  }),

  /** Updates the text of a comment of a discussion on a commit, and returns the comment. */
  updateNote: command({
    on: commitComment,
    can: 'commitComment.update',
    serializes: 'project',
    input: {
      ...discussionInput,
      /** New text in Markdown, 1 to 1,000,000 characters. */
      body: CommentText,
    },
    run: (ctx, { sha, discussion, body }, { project, comment }) =>
      withCommit(ctx, { project }, sha, (commit, { write }) =>
        write(async (later) => {
          const { first } = await getComment(later, commit, discussion, comment.id)
          return updateComment(later, comment, first, body)
        }),
      ),
  }),

  /** Removes a comment of a discussion on a commit. A discussion without comments no longer exists. */
  removeNote: command({
    on: commitComment,
    can: 'commitComment.update',
    serializes: 'project',
    input: discussionInput,
    async run(ctx, { sha, discussion }, { project, comment }) {
      await assertRowUnmodified(ctx, 'commitComment', comment.id)
      return withCommit(ctx, { project }, sha, (commit, { write }) =>
        write(async (later) => {
          await getComment(later, commit, discussion, comment.id)
          await later.db.deleteFrom('commitComment').where('id', '=', comment.id).execute()
        }),
      )
    },
  }),
}
