import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { atLeastOne, IdOrName, Instant, mutuallyExclusive } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import type { MaybePromise } from '../../../kernel/store.ts'
import { CheckedText } from '../../../kernel/text-limits.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { defined } from '../../../shared/defined.ts'
import {
  createDiscussionOfCommit,
  getDiscussionOfCommit,
  getNoteOfCommit,
  listDiscussionsOfCommit,
  removeNoteOfCommit,
  replyToCommit,
  updateNoteOfCommit,
} from '../commit-comments/discussions.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { assertSameInternal, internalInput, resolveInternal } from '../notes/internal-notes.ts'
import { assertValidBody, toNote, touchNoteable } from '../notes/mutations.ts'
import type { ExecutedQuickActions } from '../notes/note.ts'
import { noteLimit } from '../notes/note-limit.ts'
import { toNoteTarget } from '../notes/noteable.ts'
import { executeInsteadOfNote, executeOfNote, splitNoteText } from '../quick-actions/note-text.ts'
import type { NewSuggestion } from '../suggestions/queries.ts'
import { updateBody } from '../suggestions/update-body.ts'
import { withSuggestions } from '../suggestions/with-suggestions.ts'
import type { CreatedDiscussion, Discussion, DiscussionNote, Position } from './discussion.ts'
import {
  assertCanReply,
  assertCommitOf,
  assertValidPosition,
  getDiscussion,
  insertDiscussionNote,
  insertReply,
  setResolved,
} from './mutations.ts'
import { PositionInput, StoredPosition, toPosition, toStoredPosition } from './position.ts'
import { findDiscussion, listDiscussions } from './queries.ts'
import { discussable, discussedNote } from './subject.ts'
import { withVerifiedPosition } from './with-position.ts'

const DiscussionId = v.pipe(v.string(), v.maxLength(40))
const discussionInput = {
  /** Id of the discussion, 40 hexadecimal digits. */
  discussion: DiscussionId,
}

const noteInput = {
  /** Markdown, not blank, at most 1,000,000 characters. */
  body: CheckedText,
  /**
   * Time of creation for imports; ISO 8601, UTC without an offset. Ignored unless the current user is an owner or administrator.
   * Default: now.
   */
  createdAt: v.optional(Instant),
  /** Id or username of the author of the note: required for calls of the host, `forbidden` for users. */
  author: v.optional(IdOrName),
  ...internalInput,
}

const getDiscussionNote = (discussion: Discussion, id: number): DiscussionNote => {
  const note = discussion.notes.find((candidate) => candidate.id === id)
  if (note === undefined) throw notFound('')
  return note
}

/** The new note without its quick actions, or their effects if the text contained only quick actions. */
type CreatedReply = DiscussionNote | ExecutedQuickActions

type Result<T> = MaybePromise<T | Deferred<T>>

const onlyWithoutCommit = (...names: readonly string[]) =>
  names.map((name) => mutuallyExclusive<Readonly<Record<string, unknown>>>('commit', name))

/** Threads of notes. A note without replies is a discussion of its own. */
export const discussions = {
  /** Lists the discussions of an issue, a merge request, a project's snippet, an epic or a commit, oldest first. */
  list: query({
    on: discussable,
    can: 'note.list',
    input: pagingEntries,
    run: (ctx, paging, subject): Result<Page<Discussion>> =>
      subject.kind === 'commit' ? listDiscussionsOfCommit(ctx, subject, paging) : listDiscussions(ctx, subject, paging),
  }),

  /** Gets a discussion with the notes that the current user can read. */
  get: query({
    on: discussable,
    can: 'note.list',
    input: discussionInput,
    run: async (ctx, { discussion: id }, subject): Promise<Discussion | Deferred<Discussion>> =>
      subject.kind === 'commit'
        ? getDiscussionOfCommit(ctx, subject, id)
        : (await getDiscussion(ctx, subject, id)).discussion,
  }),

  /** Gets a note of a discussion. */
  getNote: query({
    on: discussedNote,
    can: 'note.read',
    input: discussionInput,
    async run(ctx, { discussion: id }, subject): Promise<DiscussionNote | Deferred<DiscussionNote>> {
      if (subject.kind === 'commitComment') return getNoteOfCommit(ctx, subject, id)
      const { discussion } = await getDiscussion(ctx, subject.noteable, id)
      return getDiscussionNote(discussion, subject.note.id)
    },
  }),

  /**
   * Starts a discussion with a first note; on a merge request or a commit, optionally at a position in its diff. Those on commits send no
   * notifications. Quick actions are executed as in `notes.create`: a text of quick actions only starts no discussion.
   *
   * @throws PlatformError `invalid_input` for an incomplete position, and for a position or a commit of another item than a merge
   * request; `not_found` for another commit; `invalid` for a position outside the diff, if the project has a repository
   */
  create: command({
    on: discussable,
    can: 'note.create',
    limit: noteLimit,
    serializes: 'project',
    input: {
      ...noteInput,
      /** Position in the diff; only for merge requests and commits. Default: none, for a discussion of the whole item. */
      position: v.optional(PositionInput),
      /**
       * For the host application only, instead of `position`: a position as `get` returned it, which is stored without a check,
       * because its commits may be gone.
       */
      storedPosition: v.optional(StoredPosition),
      /** Full SHA of a commit of the merge request, which the discussion is about, and whose diff has the position. Default: none. */
      commitSha: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/, 'is invalid'))),
    },
    rules: onlyWithoutCommit('internal', 'confidential', 'storedPosition', 'commitSha'),
    async run(
      ctx,
      { position: positionInput, storedPosition, commitSha, internal, confidential, ...input },
      noteable,
    ): Promise<CreatedDiscussion | Deferred<CreatedDiscussion>> {
      if (noteable.kind === 'commit')
        return createDiscussionOfCommit(ctx, noteable, { ...input, position: positionInput })
      if (storedPosition && ctx.actor.kind !== 'system')
        throw forbidden('Only the host application can store positions without a check')
      const { text, actions } = splitNoteText(ctx, noteable, input.body)
      const executed = await executeInsteadOfNote(ctx, noteable, { text, actions })
      if (executed) return executed
      const note = { ...input, body: text, internal: resolveInternal(ctx, noteable, { internal, confidential }) }
      const store = async (
        later: Context,
        position: Position | undefined,
        suggestions: readonly NewSuggestion[] = [],
      ): Promise<CreatedDiscussion> => {
        const { discussion } = await insertDiscussionNote(later, noteable, note, { position, commitSha, suggestions })
        await executeOfNote(later, noteable, actions)
        return defined(await findDiscussion(later, noteable, discussion))
      }
      const stored = storedPosition && toStoredPosition(storedPosition)
      const position = positionInput && toPosition(positionInput)
      assertValidPosition(noteable, stored ?? position)
      if (commitSha !== undefined) await assertCommitOf(ctx, noteable, commitSha)
      if (!stored) return withVerifiedPosition(ctx, noteable, { position, body: note.body, commitSha }, store)
      const texts = [{ body: note.body, position: stored }]
      return withSuggestions(ctx, noteable, texts, (later, [suggestions]) => store(later, stored, suggestions))
    },
  }),

  /**
   * Adds a note to a discussion and returns the note. The first reply makes an individual note a discussion; replies to
   * internal notes are internal. Quick actions are executed as in `notes.create`: a text of quick actions only adds no note.
   *
   * @throws PlatformError `invalid` for a reply to a system note, or if `internal` differs from the discussion
   */
  reply: command({
    on: discussable,
    can: 'note.create',
    limit: noteLimit,
    serializes: 'project',
    input: { ...noteInput, ...discussionInput },
    rules: onlyWithoutCommit('internal', 'confidential'),
    async run(
      ctx,
      { discussion: id, internal, confidential, ...input },
      noteable,
    ): Promise<CreatedReply | Deferred<CreatedReply>> {
      if (noteable.kind === 'commit') return replyToCommit(ctx, noteable, { ...input, discussion: id })
      const found = await getDiscussion(ctx, noteable, id)
      assertCanReply(found.discussion)
      assertSameInternal({ internal, confidential }, noteable, defined(found.discussion.notes[0]))
      const { text, actions } = splitNoteText(ctx, noteable, input.body)
      const executed = await executeInsteadOfNote(ctx, noteable, { text, actions })
      if (executed) return executed
      const texts = [{ body: text, position: found.discussion.notes[0]?.position ?? null }]
      return withSuggestions(ctx, noteable, texts, async (later, [suggestions]): Promise<CreatedReply> => {
        const noteId = await insertReply(later, noteable, found, { ...input, body: text }, suggestions)
        const commandsChanges = await executeOfNote(later, noteable, actions)
        const reply = getDiscussionNote(defined(await findDiscussion(later, noteable, found.firstNoteId)), noteId)
        return actions.length ? { ...reply, commandsChanges } : reply
      })
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
      return defined(await findDiscussion(ctx, subject, firstNoteId))
    },
  }),

  /**
   * Updates the text of a note, with the permissions of `notes.update`, or resolves or unresolves it, with those of
   * `resolve`. At least one of both is required. Comments on commits cannot be resolved. Returns the note.
   *
   * @throws PlatformError `invalid` for an invalid text, or if the note is not resolvable
   */
  updateNote: command({
    on: discussedNote,
    can: 'discussion.updateNote',
    serializes: 'project',
    input: {
      ...discussionInput,
      /** New text in Markdown, not blank, at most 1,000,000 characters. */
      body: v.optional(CheckedText),
      /** Whether to resolve (true) or unresolve the note. */
      resolved: v.optional(v.boolean()),
      ...internalInput,
    },
    rules: [
      atLeastOne<Readonly<Record<string, unknown>>>('body', 'resolved'),
      ...onlyWithoutCommit('resolved', 'internal', 'confidential'),
    ],
    async run(
      ctx,
      { discussion: id, body, resolved, ...visibility },
      subject,
    ): Promise<DiscussionNote | Deferred<DiscussionNote>> {
      if (subject.kind === 'commitComment') return updateNoteOfCommit(ctx, subject, { discussion: id, body })
      const { noteable, note } = subject
      if (body !== undefined) assertAbility<'note'>(ctx.actor, subject, 'note.update')
      // No other notes can be resolved, by no caller.
      if (resolved !== undefined && noteable.kind === 'mergeRequest') {
        assertAbility<'note'>(ctx.actor, subject, 'discussion.resolve')
      }
      const { discussion, firstNoteId } = await getDiscussion(ctx, noteable, id)
      const discussionNote = getDiscussionNote(discussion, note.id)
      assertSameInternal(visibility, noteable, note)
      if (body !== undefined) assertValidBody(body, 'update')
      const changedBody = body === note.body ? undefined : body
      const texts = [{ body: changedBody ?? '', position: discussionNote.position }]
      return withSuggestions(ctx, noteable, texts, async (later, [suggestions]) => {
        if (changedBody !== undefined) await updateBody(later, subject, changedBody, suggestions)
        if (resolved !== undefined) await setResolved(later, [discussionNote], resolved)
        return getDiscussionNote(defined(await findDiscussion(later, noteable, firstNoteId)), note.id)
      })
    },
  }),

  /** Removes a note of a discussion. A discussion without notes no longer exists. */
  removeNote: command({
    on: discussedNote,
    can: 'note.update',
    serializes: 'project',
    input: discussionInput,
    async run(ctx, { discussion: id }, subject): Promise<void | Deferred<void>> {
      if (subject.kind === 'commitComment') return removeNoteOfCommit(ctx, subject, id)
      const { noteable, note } = subject
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
