import * as v from 'valibot'
import type { Noteable } from '../../contract/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { getUserId } from '../../kernel/actor.ts'
import { assertUnmodified } from '../../kernel/assert-unmodified.ts'
import { awaitAll } from '../../kernel/await-all.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, invalidInput, notFound, PlatformError } from '../../kernel/errors.ts'
import { atLeastOne, IdOrName, Instant } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { pagingEntries } from '../../kernel/paging.ts'
import { assertAbility } from '../../policy/authorize.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { assertSameInternal, internalInput, resolveInternal } from '../notes/internal-notes.ts'
import { findMentionedUsers } from '../notes/mentions.ts'
import { assertValidBody, toNote, touchNoteable } from '../notes/mutations.ts'
import { note, noteable, toNoteTarget } from '../notes/noteable.ts'
import { announceNote, type NewNoteContent, storeNote } from '../notes/store-note.ts'
import { type Discussion, type DiscussionNote, type Position, parseDiscussionId } from './discussion.ts'
import { assertCompletePosition, PositionInput, toPosition } from './position.ts'
import { findDiscussion, listDiscussions } from './queries.ts'

const DiscussionId = v.pipe(v.string(), v.maxLength(40))
const discussionInput = {
  /** Id of the discussion, 40 hexadecimal digits. */
  discussion: DiscussionId,
}

const noteInput = {
  /** Markdown, not blank, at most 1,000,000 characters; stored unchanged. */
  body: v.string(),
  /**
   * Time of creation for imports; ISO 8601, UTC without an offset. Ignored unless the caller is an owner or administrator.
   * Default: now.
   */
  createdAt: v.optional(Instant),
  /** Id or username of the author of the note: required for calls of the host, `forbidden` for users. */
  author: v.optional(IdOrName),
  ...internalInput,
}

const assertValidPosition = ({ kind }: Noteable, position: Position | undefined) => {
  if (position === undefined) return
  if (kind !== 'mergeRequest') {
    throw invalidInput([{ fields: ['position'], message: 'is invalid: only merge requests have positions' }])
  }
  assertCompletePosition(position)
}

/** Inserts a note into a discussion, or into a new discussion if none is given. */
const insertDiscussionNote = async (
  ctx: Context,
  noteable: Noteable,
  content: NewNoteContent,
  { discussion, position }: { discussion?: number; position?: Position | null | undefined },
): Promise<{ readonly discussion: number; readonly noteId: number }> => {
  const record = await storeNote(ctx, noteable, content, { type: position ? 'DiffNote' : 'DiscussionNote' })
  const firstNoteId = discussion ?? record.id
  await awaitAll([
    addToDiscussion(ctx, record.id, firstNoteId, discussion === undefined ? position : undefined),
    announceNote(ctx, noteable, record),
  ])
  return { discussion: firstNoteId, noteId: record.id }
}

const addToDiscussion = async (ctx: Context, noteId: number, discussion: number, position?: Position | null) => {
  await ctx.db
    .insertInto('discussionNote')
    .values({
      noteId,
      discussion,
      resolvedAt: null,
      resolvedById: null,
      position: position ?? null,
    } satisfies CompleteRow<'discussionNote'>)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Makes an individual note the first note of a discussion. */
const startDiscussion = async (ctx: Context, noteId: number) => {
  await ctx.db.updateTable('note').set({ type: 'DiscussionNote' }).where('id', '=', noteId).execute()
  await addToDiscussion(ctx, noteId, noteId)
}

const getDiscussion = async (
  ctx: Context,
  noteable: Noteable,
  id: string,
): Promise<{ readonly discussion: Discussion; readonly firstNoteId: number }> => {
  const firstNoteId = parseDiscussionId(id)
  const discussion = firstNoteId === undefined ? undefined : await findDiscussion(ctx, noteable, firstNoteId)
  if (firstNoteId === undefined || discussion === undefined) throw notFound('Discussion')
  return { discussion, firstNoteId }
}

const setResolved = async (ctx: Context, notes: readonly { id: number; resolvable: boolean }[], resolved: boolean) => {
  const ids = notes.filter(({ resolvable }) => resolvable).map(({ id }) => id)
  if (!ids.length) throw invalid('The discussion has no resolvable notes')
  await ctx.db
    .updateTable('discussionNote')
    .set({ resolvedAt: resolved ? ctx.now : null, resolvedById: resolved ? getUserId(ctx.actor) || null : null })
    .where('noteId', 'in', ids)
    .execute()
}

const getDiscussionNote = (discussion: Discussion, id: number): DiscussionNote => {
  const note = discussion.notes.find((candidate) => candidate.id === id)
  if (note === undefined) throw notFound('')
  return note
}

/** Threads of notes. A note without replies is a discussion of its own. */
export const discussions = {
  /** Lists the discussions of an issue, a merge request, a project's snippet or an epic, oldest first. */
  list: query({
    on: noteable,
    can: 'note.list',
    input: pagingEntries,
    run: (ctx, paging, noteable) => listDiscussions(ctx, noteable, paging),
  }),

  /** Gets a discussion with the notes that the caller can read. */
  get: query({
    on: noteable,
    can: 'note.list',
    input: discussionInput,
    run: async (ctx, { discussion: id }, noteable): Promise<Discussion> =>
      (await getDiscussion(ctx, noteable, id)).discussion,
  }),

  /**
   * Starts a discussion with a first note; on a merge request, optionally at a position in its diff.
   *
   * @throws PlatformError `invalid_input` for an incomplete position, or one on another item than a merge request
   */
  create: command({
    on: noteable,
    can: 'note.create',
    serializes: 'project',
    input: {
      ...noteInput,
      /** Position in the diff; only for merge requests. Default: none, for a discussion of the whole item. */
      position: v.optional(PositionInput),
    },
    async run(ctx, { position: positionInput, internal, confidential, ...input }, noteable) {
      const note = { ...input, internal: resolveInternal(ctx, noteable, { internal, confidential }) }
      const position = positionInput && toPosition(positionInput)
      assertValidPosition(noteable, position)
      const { discussion } = await insertDiscussionNote(ctx, noteable, note, { position })
      return (await findDiscussion(ctx, noteable, discussion)) as Discussion
    },
  }),

  /**
   * Adds a note to a discussion and returns the note. The first reply makes an individual note a discussion; replies to
   * internal notes are internal.
   *
   * @throws PlatformError `invalid` for a reply to a system note, or if `internal` differs from the discussion
   */
  reply: command({
    on: noteable,
    can: 'note.create',
    serializes: 'project',
    input: { ...noteInput, ...discussionInput },
    async run(ctx, { discussion: id, internal, confidential, ...input }, noteable) {
      const { discussion, firstNoteId } = await getDiscussion(ctx, noteable, id)
      const first = discussion.notes[0] as DiscussionNote
      if (first.system) throw new PlatformError('invalid', 'Discussion can not be replied to.', { reason: 'unsaved' })
      assertSameInternal({ internal, confidential }, noteable, first)
      const note = { ...input, internal: first.internal }
      if (discussion.individualNote) await startDiscussion(ctx, firstNoteId)
      const { noteId } = await insertDiscussionNote(ctx, noteable, note, {
        discussion: firstNoteId,
        position: first.position,
      })
      return getDiscussionNote((await findDiscussion(ctx, noteable, firstNoteId)) as Discussion, noteId)
    },
  }),

  /**
   * Resolves or unresolves a discussion of a merge request.
   *
   * @throws PlatformError `invalid` if the discussion has no resolvable notes
   */
  resolve: command({
    on: mergeRequest,
    can: 'discussion.resolve',
    serializes: 'project',
    input: {
      ...discussionInput,
      /** Whether to resolve (true) or unresolve all resolvable notes of the discussion. */
      resolved: v.boolean(),
    },
    async run(ctx, { discussion: id, resolved }, subject) {
      const { discussion, firstNoteId } = await getDiscussion(ctx, subject, id)
      await setResolved(ctx, discussion.notes, resolved)
      return (await findDiscussion(ctx, subject, firstNoteId)) as Discussion
    },
  }),

  /**
   * Updates the text of a note, with the permissions of `notes.update`, or resolves or unresolves it, with those of
   * `resolve`. At least one of both is required. Returns the note.
   *
   * @throws PlatformError `invalid` for an invalid text, or if the note is not resolvable
   */
  updateNote: command({
    on: note,
    can: 'discussion.updateNote',
    serializes: 'project',
    input: {
      ...discussionInput,
      /** New text in Markdown, not blank, at most 1,000,000 characters. */
      body: v.optional(v.string()),
      /** Whether to resolve (true) or unresolve the note. */
      resolved: v.optional(v.boolean()),
      ...internalInput,
    },
    rules: [atLeastOne('body', 'resolved')],
    async run(ctx, { discussion: id, body, resolved, ...visibility }, subject) {
      const { noteable, note } = subject
      if (body !== undefined) assertAbility<'note'>(ctx.actor, subject, 'note.update')
      // No other notes can be resolved, by no caller.
      if (resolved !== undefined && noteable.kind === 'mergeRequest') {
        assertAbility<'note'>(ctx.actor, subject, 'discussion.resolve')
      }
      const { discussion, firstNoteId } = await getDiscussion(ctx, noteable, id)
      const discussionNote = getDiscussionNote(discussion, note.id)
      assertSameInternal(visibility, noteable, note)
      if (body !== undefined) {
        assertValidBody(body, 'update')
        await ctx.db.updateTable('note').set({ body, updatedAt: ctx.now }).where('id', '=', note.id).execute()
        await touchNoteable(ctx, noteable)
        const updated = await toNote(ctx, noteable, { ...note, body, updatedAt: ctx.now })
        const mentioned = await findMentionedUsers(ctx, subject, body, note.body)
        await ctx.emit('note.updated', { note: updated, target: toNoteTarget(noteable), mentioned })
      }
      if (resolved !== undefined) await setResolved(ctx, [discussionNote], resolved)
      return getDiscussionNote((await findDiscussion(ctx, noteable, firstNoteId)) as Discussion, note.id)
    },
  }),

  /** Removes a note of a discussion. A discussion without notes no longer exists. */
  removeNote: command({
    on: note,
    can: 'note.update',
    serializes: 'project',
    input: discussionInput,
    async run(ctx, { discussion: id }, { noteable, note }) {
      const { discussion } = await getDiscussion(ctx, noteable, id)
      getDiscussionNote(discussion, note.id)
      assertUnmodified(ctx, note.updatedAt)
      const removed = await toNote(ctx, noteable, note)
      await ctx.db.deleteFrom('note').where('id', '=', note.id).execute()
      await touchNoteable(ctx, noteable)
      await ctx.emit('note.removed', { note: removed, target: toNoteTarget(noteable) })
    },
  }),
}
