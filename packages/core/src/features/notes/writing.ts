import type { Context } from '../../kernel/context.ts'
import { PlatformError } from '../../kernel/errors.ts'
import type { Noteable } from '../../policy.ts'
import { bodyComplaint, type Note, type NoteRecord, type NoteType } from './note.ts'
import { keyOf, targetOf } from './noteable.ts'
import { completeNotes, type NoteKey, type NotePlace } from './queries.ts'

const typeNames = { issue: 'Issue', mergeRequest: 'MergeRequest', snippet: 'Snippet', epic: 'Epic' } as const

const placeOf = (found: Noteable): NotePlace => {
  const { kind, id, iid } = targetOf(found)
  return {
    noteableType: typeNames[kind],
    noteableId: id,
    noteableIid: kind === 'issue' || kind === 'mergeRequest' ? iid : null,
    confidential:
      (found.kind === 'issue' && found.issue.confidential) || (found.kind === 'epic' && found.epic.confidential),
  }
}

/** Notes of one thing with their authors. */
export const toNotes = (ctx: Context, found: Noteable, records: readonly NoteRecord[]): Promise<Note[]> => {
  const place = placeOf(found)
  return completeNotes(ctx, records, () => place)
}

/** One note with its author. */
export async function toNote(ctx: Context, found: Noteable, record: NoteRecord): Promise<Note> {
  const [note] = await toNotes(ctx, found, [record])
  return note as Note
}

/** What single notes of snippets and epics, and notes of one emoji, tell besides: specification 1, "Note". */
export const withPlace = (note: Note, found: Noteable): Note => ({
  ...note,
  title: targetOf(found).title,
  fileName: found.kind === 'snippet' ? found.snippet.fileName : null,
  expiresAt: null,
})

/** Refuses a body that is blank or too long, in the words in which clients know it. */
export const refuseBadBody = (body: string, act: 'create' | 'update'): void => {
  const complaint = bodyComplaint(body)
  if (complaint === undefined) return
  const said = `${act === 'create' ? 'Note' : 'Failed to save note'} {:note=>["${complaint}"]}`
  throw new PlatformError('invalid', said, { problems: [{ fields: ['body'], message: complaint }], reason: 'unsaved' })
}

interface NewNote {
  readonly authorId: number
  readonly body: string
  readonly system: boolean
  readonly type?: NoteType
  /** Instead of the instant of the call. */
  readonly at?: string | undefined
}

/** Stores a note. */
export async function insertNote(ctx: Context, { column, id }: NoteKey, given: NewNote): Promise<NoteRecord> {
  const { at = ctx.now, type = null, ...rest } = given
  const note = { ...rest, type }
  const keys = { issueId: null, mergeRequestId: null, snippetId: null, epicId: null, [column]: id }
  const [row] = await ctx.db
    .insertInto('note')
    .values({ ...keys, ...note, createdAt: at, updatedAt: at })
    .returning('id')
    .execute()
  return { id: (row as { id: number }).id, ...note, createdAt: at, updatedAt: at }
}

/** What a note hangs on counts as updated when its notes change. */
export async function touch(ctx: Context, found: Noteable): Promise<void> {
  const { id } = keyOf(found)
  await ctx.db
    .updateTable(found.kind)
    .set({ updatedAt: ctx.now })
    .where('id', '=', id)
    .where('updatedAt', '<', ctx.now)
    .execute()
}
