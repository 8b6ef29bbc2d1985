import type { Noteable } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, invalidInput, notFound, PlatformError } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import { parseDiscussionId } from '../../planning/issuables/discussion-id.ts'
import { announceNote, type NewNoteContent, storeNote } from '../notes/store-note.ts'
import { type NewSuggestion, replaceSuggestions } from '../suggestions/queries.ts'
import type { Discussion, Position } from './discussion.ts'
import { assertCompletePosition } from './position.ts'
import { findDiscussion } from './queries.ts'

/** @throws PlatformError `invalid_input` for an incomplete position, or one on another item than a merge request */
export const assertValidPosition = ({ kind }: Noteable, position: Position | undefined) => {
  if (position === undefined) return
  if (kind !== 'mergeRequest') {
    throw invalidInput([{ fields: ['position'], message: 'is invalid: only merge requests have positions' }])
  }
  assertCompletePosition(position)
}

/**
 * Checks that a merge request has a commit. The host stores discussions whose commits may be gone.
 *
 * @throws PlatformError `invalid_input` for another item, `not_found` for another commit
 */
export const assertCommitOf = async (ctx: Context, noteable: Noteable, sha: string): Promise<void> => {
  if (noteable.kind !== 'mergeRequest')
    throw invalidInput([{ fields: ['commitSha'], message: 'is invalid: only merge requests have commits' }])
  if (ctx.actor.kind === 'system') return
  const commit = await ctx.db
    .selectFrom('mergeRequestCommit')
    .where('mergeRequestId', '=', noteable.mergeRequest.id)
    .where('sha', '=', sha)
    .select('sha')
    .executeTakeFirst()
  if (!commit) throw notFound('Commit')
}

interface NewNotePlace {
  readonly discussion?: number
  readonly position?: Position | null | undefined
  /** Commit that the discussion is about. */
  readonly commitSha?: string | null | undefined
}

/** Inserts a note into a discussion, or into a new discussion if none is given. */
export const insertDiscussionNote = async (
  ctx: Context,
  noteable: Noteable,
  content: NewNoteContent,
  { discussion, suggestions = [], ...place }: NewNotePlace & { readonly suggestions?: readonly NewSuggestion[] },
): Promise<{ readonly discussion: number; readonly noteId: number }> => {
  const record = await storeNote(ctx, noteable, content, { type: place.position ? 'DiffNote' : 'DiscussionNote' })
  const firstNoteId = discussion ?? record.id
  // First, because the event of the note contains its discussion.
  await addToDiscussion(ctx, record.id, firstNoteId, discussion === undefined ? place : {})
  if (suggestions.length) await replaceSuggestions(ctx, record.id, suggestions)
  await announceNote(ctx, noteable, record)
  return { discussion: firstNoteId, noteId: record.id }
}

const addToDiscussion = async (
  ctx: Context,
  noteId: number,
  discussion: number,
  { position = null, commitSha = null }: Omit<NewNotePlace, 'discussion'> = {},
) => {
  await ctx.db
    .insertInto('discussionNote')
    .values({
      noteId,
      discussion,
      resolvedAt: null,
      resolvedById: null,
      position,
      commitSha,
    } satisfies CompleteRow<'discussionNote'>)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Makes an individual note the first note of a discussion. */
const startDiscussion = async (ctx: Context, noteId: number) => {
  await ctx.db.updateTable('note').set({ type: 'DiscussionNote' }).where('id', '=', noteId).execute()
  await addToDiscussion(ctx, noteId, noteId)
}

interface FoundDiscussion {
  readonly discussion: Discussion
  readonly firstNoteId: number
}

/** @throws PlatformError `not_found` for a discussion of another item, or one that the current user cannot read */
export const getDiscussion = async (ctx: Context, noteable: Noteable, id: string): Promise<FoundDiscussion> => {
  const firstNoteId = parseDiscussionId(id)
  const discussion = firstNoteId === undefined ? undefined : await findDiscussion(ctx, noteable, firstNoteId)
  if (firstNoteId === undefined || discussion === undefined) throw notFound('Discussion')
  return { discussion, firstNoteId }
}

/**
 * Notes that are resolved keep who resolved them, and when.
 *
 * @throws PlatformError `invalid` if no note can be resolved
 */
export const setResolved = async (
  ctx: Context,
  notes: readonly { id: number; resolvable: boolean }[],
  resolved: boolean,
) => {
  const ids = notes.filter(({ resolvable }) => resolvable).map(({ id }) => id)
  if (!ids.length) throw invalid('The discussion has no resolvable notes')
  await ctx.db
    .updateTable('discussionNote')
    .set({ resolvedAt: resolved ? ctx.now : null, resolvedById: resolved ? getUserId(ctx.actor) || null : null })
    .where('noteId', 'in', ids)
    .where('resolvedAt', resolved ? 'is' : 'is not', null)
    .execute()
}

/** @throws PlatformError `invalid` for a system note, which has no replies */
export const assertCanReply = ({ notes: [first] }: Discussion): void => {
  if (first?.system) throw new PlatformError('invalid', 'Discussion can not be replied to.', { reason: 'unsaved' })
}

/** Adds a reply. The first one makes an individual note a discussion; replies to internal notes are internal. */
export const insertReply = async (
  ctx: Context,
  noteable: Noteable,
  { discussion, firstNoteId }: FoundDiscussion,
  content: Omit<NewNoteContent, 'internal'>,
  suggestions: readonly NewSuggestion[] = [],
): Promise<number> => {
  assertCanReply(discussion)
  const first = defined(discussion.notes[0])
  if (discussion.individualNote) await startDiscussion(ctx, firstNoteId)
  const note = { ...content, internal: first.internal }
  const { noteId } = await insertDiscussionNote(ctx, noteable, note, {
    discussion: firstNoteId,
    position: first.position,
    suggestions,
  })
  return noteId
}
