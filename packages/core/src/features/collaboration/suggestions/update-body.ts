import type { Subjects } from '../../../contract/subjects.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { findMentionedUsers } from '../notes/mentions.ts'
import { toNote, touchNoteable } from '../notes/mutations.ts'
import type { Note } from '../notes/note.ts'
import { toNoteTarget } from '../notes/noteable.ts'
import { type NewSuggestion, replaceSuggestions } from './queries.ts'

/** Changes the text of a note, and its suggestions with it. */
export const updateBody = async (
  ctx: Context,
  subject: Subjects['note'],
  body: string,
  suggestions: readonly NewSuggestion[] = [],
): Promise<Note> => {
  const { noteable, note } = subject
  const [written, mentioned] = await awaitAll([
    toNote(ctx, noteable, { ...note, body, updatedAt: ctx.now }),
    findMentionedUsers(ctx, subject, body, note.body),
    ctx.db.updateTable('note').set({ body, updatedAt: ctx.now }).where('id', '=', note.id).execute(),
    touchNoteable(ctx, noteable),
  ])
  if (note.type === 'DiffNote') await replaceSuggestions(ctx, note.id, suggestions)
  await ctx.emit('note.updated', { note: written, target: toNoteTarget(noteable), mentioned })
  return written
}
