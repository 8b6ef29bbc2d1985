import { expressionBuilder } from 'kysely'
import type { Noteable } from '../../../contract/subjects.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Page, type PagingInput, paginate } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { formatDiscussionId } from '../../planning/issuables/discussion-id.ts'
import { canReadInternal } from '../notes/internal-notes.ts'
import { toNotes } from '../notes/mutations.ts'
import type { NoteRecord } from '../notes/note.ts'
import { toNoteKey } from '../notes/noteable.ts'
import { isPublicOrOwn } from '../notes/queries.ts'
import { suggestionsOf } from '../suggestions/queries.ts'
import type { Suggestion } from '../suggestions/suggestion.ts'
import type { Discussion, DiscussionNote, Position } from './discussion.ts'

/** A note with the columns of its discussion; null for an individual note. */
export interface DiscussionNoteRow extends NoteRecord {
  discussion: number | null
  resolvedAt: string | null
  resolvedById: number | null
  position: Position | null
  commitSha: string | null
}

/** The notes of a noteable that the current user can read. */
const selectNotes = (ctx: Context, noteable: Noteable) => {
  const { column, id } = toNoteKey(noteable)
  const notes = ctx.db
    .selectFrom('note')
    .leftJoin('discussionNote', 'discussionNote.noteId', 'note.id')
    .where(`note.${column}`, '=', id)
  return canReadInternal(ctx, noteable) ? notes : notes.where(isPublicOrOwn(getUserId(ctx.actor))(expressionBuilder()))
}

const selectDiscussionNotes = (ctx: Context, noteable: Noteable, firstNoteIds: readonly number[]) =>
  selectNotes(ctx, noteable)
    .where((eb) => eb.or([eb('note.id', 'in', firstNoteIds), eb('discussionNote.discussion', 'in', firstNoteIds)]))
    .select(['note.id', 'note.authorId', 'note.body', 'note.system', 'note.internal', 'note.type'])
    .select(['note.createdAt', 'note.updatedAt'])
    .select(['discussionNote.discussion', 'discussionNote.position', 'discussionNote.commitSha'])
    .select(['discussionNote.resolvedAt', 'discussionNote.resolvedById'])

/** Maps the rows of one discussion. All its notes have the position and the commit of the first one. */
const toDiscussionNotes = async (
  ctx: Context,
  noteable: Noteable,
  rows: readonly DiscussionNoteRow[],
  suggestions: ReadonlyMap<number, readonly Suggestion[]>,
): Promise<DiscussionNote[]> => {
  const notes = await toNotes(ctx, noteable, rows)
  const users = await userSummaries(
    ctx,
    rows.flatMap(({ resolvedById }) => resolvedById ?? []),
  )
  const position = rows.find((row) => row.position !== null)?.position ?? null
  const sha = rows.find(({ commitSha }) => commitSha !== null)?.commitSha ?? null
  return notes.map((note, index) => {
    const row = defined(rows[index])
    return {
      ...note,
      resolved: row.resolvedAt !== null,
      resolvedAt: row.resolvedAt,
      resolvedBy: row.resolvedById === null ? null : (users.get(row.resolvedById) ?? null),
      position,
      ...((sha !== null || (row.type === 'DiffNote' && noteable.kind === 'mergeRequest')) && { sha }),
      ...(row.type === 'DiffNote' && { suggestions: suggestions.get(row.id) ?? [] }),
    }
  })
}

const loadDiscussions = async (
  ctx: Context,
  noteable: Noteable,
  firstNoteIds: readonly number[],
): Promise<Discussion[]> => {
  if (!firstNoteIds.length) return []
  const found: DiscussionNoteRow[] = await selectDiscussionNotes(ctx, noteable, firstNoteIds).execute()
  // The database would copy all texts to sort the rows.
  const allRows = found.sort((a, b) => a.id - b.id)
  const onDiff = allRows.filter(({ type }) => type === 'DiffNote').map(({ id }) => id)
  const suggestions = await suggestionsOf(ctx, noteable, onDiff)
  const discussions: Discussion[] = []
  for (const firstNoteId of firstNoteIds) {
    const rows = allRows.filter(({ id, discussion }) => (discussion ?? id) === firstNoteId)
    if (!rows.length) continue
    const individualNote = rows.every(({ discussion }) => discussion === null)
    const notes = await toDiscussionNotes(ctx, noteable, rows, suggestions)
    discussions.push({ id: formatDiscussionId(firstNoteId), individualNote, notes })
  }
  return discussions
}

/** Lists the discussions of a noteable, oldest first. */
export async function listDiscussions(
  ctx: Context,
  noteable: Noteable,
  paging: PagingInput,
): Promise<Page<Discussion>> {
  const rows = selectNotes(ctx, noteable)
    .groupBy((eb) => eb.fn.coalesce('discussionNote.discussion', 'note.id'))
    .select((eb) => eb.fn.coalesce('discussionNote.discussion', 'note.id').as('first'))
    .orderBy('first')
  const page = await paginate(rows, paging, ({ first }): number => Number(first))
  return { ...page, items: await loadDiscussions(ctx, noteable, page.items) }
}

/** Finds a discussion of a noteable by the id of its first note. */
export async function findDiscussion(
  ctx: Context,
  noteable: Noteable,
  firstNoteId: number,
): Promise<Discussion | undefined> {
  const [discussion] = await loadDiscussions(ctx, noteable, [firstNoteId])
  return discussion
}
