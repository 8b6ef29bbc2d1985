import * as v from 'valibot'
import type { Noteable } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { IdOrName, Instant, Sort } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, pagingEntries } from '../../../kernel/paging.ts'
import { assertUnmodified } from '../../../kernel/precondition.ts'
import { CheckedText } from '../../../kernel/text-limits.ts'
import { singleEmojiName } from '../../../ports/markdown/single-emoji.ts'
import { executeInsteadOfNote, executeOfNote, splitNoteText } from '../quick-actions/note-text.ts'
import { findPosition } from '../suggestions/queries.ts'
import { updateBody } from '../suggestions/update-body.ts'
import { withSuggestions } from '../suggestions/with-suggestions.ts'
import { assertSameInternal, canReadInternal, internalInput, resolveInternal } from './internal-notes.ts'
import { assertValidBody, toNote, toNotes, touchNoteable, withNoteableTitle } from './mutations.ts'
import type { CreatedNote, Note } from './note.ts'
import { noteLimit } from './note-limit.ts'
import { note, noteable, toNoteKey, toNoteTarget } from './noteable.ts'
import { notePage } from './queries.ts'
import { announceNote, storeNote } from './store-note.ts'

const noteInput = {
  /** Text in Markdown; not blank, at most 1,000,000 characters. */
  body: CheckedText,
  /**
   * When the note was written: ISO 8601; UTC if it has no offset. Default: now. For owners and administrators; ignored
   * for other callers.
   */
  createdAt: v.optional(Instant),
  /**
   * Id or username of the author. For the host application only, which must name one; users are the authors of their
   * notes.
   */
  author: v.optional(IdOrName),
  ...internalInput,
}

const NoteInputSchema = v.object(noteInput)

type NoteInput = v.InferOutput<typeof NoteInputSchema>

const toContent = (ctx: Context, { internal, confidential, ...content }: NoteInput, subject: Noteable) => ({
  ...content,
  internal: resolveInternal(ctx, subject, { internal, confidential }),
})

const createSystemNote = async (ctx: Context, input: NoteInput, subject: Noteable): Promise<Note> => {
  if (ctx.actor.kind !== 'system') throw forbidden('Only the host application can create system notes')
  return toNote(ctx, subject, await storeNote(ctx, subject, toContent(ctx, input, subject), { system: true }))
}

const createNote = async (ctx: Context, input: NoteInput, subject: Noteable): Promise<Note> => {
  const record = await storeNote(ctx, subject, toContent(ctx, input, subject))
  const written = await announceNote(ctx, subject, record)
  return singleEmojiName(input.body) === undefined ? written : withNoteableTitle(written, subject)
}

export const notes = {
  /**
   * Lists notes of an issue, a merge request, a project's snippet or an epic; internal ones only if the current user can read
   * them.
   */
  list: query({
    on: noteable,
    can: 'note.list',
    input: {
      ...pagingEntries,
      /** The time by which the list is sorted; equal times by id. */
      orderBy: v.optional(v.picklist(['created_at', 'updated_at']), 'created_at'),
      /** `asc` lists the oldest first, `desc` the newest. */
      sort: v.optional(Sort, 'desc'),
      /** `only_comments`: notes that users wrote. `only_activity`: system notes. `all_notes`: both. */
      activityFilter: v.optional(v.picklist(['all_notes', 'only_comments', 'only_activity']), 'all_notes'),
    },
    async run(ctx, options, subject): Promise<Page<Note>> {
      const readsInternal = canReadInternal(ctx, subject)
      const page = await notePage(ctx, toNoteKey(subject), { ...options, readsInternal })
      return { ...page, items: await toNotes(ctx, subject, page.items) }
    },
  }),

  /** Gets a note. Fails with `not_found` for a note of another item, and for an internal note that the current user cannot read. */
  get: query({
    on: note,
    can: 'note.read',
    async run(ctx, _input, { noteable, note }) {
      const completed = await toNote(ctx, noteable, note)
      return noteable.kind === 'snippet' || noteable.kind === 'epic'
        ? withNoteableTitle(completed, noteable)
        : completed
    },
  }),

  /**
   * Creates a note and executes the quick actions in its text, such as `/close` and `/label ~bug`, with the permissions of
   * the current user. Quick actions are removed from the note; a text of quick actions only creates no note. Notes by the
   * host and notes of snippets have no quick actions. `createdAt` is ignored unless the current user is an owner or
   * administrator.
   */
  create: command({
    on: noteable,
    can: 'note.create',
    serializes: 'project',
    limit: noteLimit,
    input: {
      ...noteInput,
      /**
       * For the host application only: whether the note is a system note, which mentions no one and causes no event.
       */
      system: v.optional(v.boolean(), false),
    },
    async run(ctx, { system, ...input }, subject): Promise<CreatedNote> {
      if (system) return createSystemNote(ctx, input, subject)
      const split = splitNoteText(ctx, subject, input.body)
      if (!split.actions.length) return createNote(ctx, { ...input, body: split.text }, subject)
      assertValidBody(input.body, 'create')
      const executed = await executeInsteadOfNote(ctx, subject, split)
      if (executed) return executed
      const note = await createNote(ctx, { ...input, body: split.text }, subject)
      const changes = await executeOfNote(ctx, subject, split.actions)
      return { ...note, confidential: changes.confidential ?? note.confidential, commandsChanges: changes }
    },
  }),

  /**
   * Changes the text of a note, not whether it is internal. For the author of a comment and maintainers. Quick actions
   * are not executed.
   */
  update: command({
    on: note,
    can: 'note.update',
    serializes: 'project',
    input: {
      /** New text in Markdown; not blank, at most 1,000,000 characters. */
      body: CheckedText,
      ...internalInput,
    },
    async run(ctx, { body, ...visibility }, subject): Promise<Note | Deferred<Note>> {
      const { noteable, note } = subject
      assertValidBody(body, 'update')
      assertSameInternal(visibility, noteable, note)
      if (body === note.body) return toNote(ctx, noteable, note)
      const position = note.type === 'DiffNote' ? await findPosition(ctx, note.id) : null
      return withSuggestions(ctx, noteable, [{ body, position }], (later, [suggestions]) =>
        updateBody(later, subject, body, suggestions),
      )
    },
  }),

  /** Removes a note. For the author of a comment and maintainers. */
  remove: command({
    on: note,
    can: 'note.update',
    serializes: 'project',
    async run(ctx, _input, { noteable, note }) {
      assertUnmodified(ctx, note.updatedAt)
      const removed = await toNote(ctx, noteable, note)
      await ctx.db.deleteFrom('note').where('id', '=', note.id).execute()
      await touchNoteable(ctx, noteable)
      await ctx.emit('note.removed', { note: removed, target: toNoteTarget(noteable) })
    },
  }),
}
