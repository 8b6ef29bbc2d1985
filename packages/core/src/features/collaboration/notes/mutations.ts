import type { Noteable } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import { bodyProblem, type Note, type NoteRecord, type NoteType } from './note.ts'
import { toNoteKey, toNoteTarget } from './noteable.ts'
import { completeNotes, type NoteableFields, type NoteKey } from './queries.ts'

const noteableTypes = { issue: 'Issue', mergeRequest: 'MergeRequest', snippet: 'Snippet', epic: 'Epic' } as const

export const isConfidential = (subject: Noteable): boolean =>
  (subject.kind === 'issue' && subject.issue.confidential) || (subject.kind === 'epic' && subject.epic.confidential)

const noteableFieldsOf = (subject: Noteable): NoteableFields => {
  const { kind, id, iid } = toNoteTarget(subject)
  return {
    noteableType: noteableTypes[kind],
    noteableId: id,
    noteableIid: kind === 'issue' || kind === 'mergeRequest' ? iid : null,
    confidential: isConfidential(subject),
  }
}

/** Notes of one noteable with their authors. */
export const toNotes = (ctx: Context, subject: Noteable, records: readonly NoteRecord[]): Promise<Note[]> => {
  const fields = noteableFieldsOf(subject)
  return completeNotes(ctx, records, () => fields)
}

export async function toNote(ctx: Context, subject: Noteable, record: NoteRecord): Promise<Note> {
  const [note] = await toNotes(ctx, subject, [record])
  return defined(note)
}

/** Adds the fields that only single notes of snippets and epics and new emoji notes have: specification 1, "Note". */
export const withNoteableTitle = (note: Note, subject: Noteable): Note => ({
  ...note,
  title: toNoteTarget(subject).title,
  fileName: subject.kind === 'snippet' ? subject.snippet.fileName : null,
  expiresAt: null,
})

/**
 * Validates the body of a note.
 *
 * @throws PlatformError `invalid` for a blank or too long body, with the error text that clients expect
 */
export const assertValidBody = (body: string, act: 'create' | 'update'): void => {
  const problem = bodyProblem(body)
  if (problem === undefined) return
  const message = `${act === 'create' ? 'Note' : 'Failed to save note'} {:note=>["${problem}"]}`
  throw new PlatformError('invalid', message, { problems: [{ fields: ['body'], message: problem }], reason: 'unsaved' })
}

interface NewNote {
  readonly authorId: number
  readonly body: string
  readonly system: boolean
  readonly internal?: boolean
  readonly type?: NoteType
  /** Defaults to the time of the call. */
  readonly createdAt?: string | undefined
}

export async function insertNote(ctx: Context, { column, id }: NoteKey, input: NewNote): Promise<NoteRecord> {
  const { createdAt = ctx.now, type = null, internal = false, ...rest } = input
  const note = { ...rest, type, internal }
  const keys = { issueId: null, mergeRequestId: null, snippetId: null, epicId: null, [column]: id }
  const row = await ctx.db
    .insertInto('note')
    .values({ ...keys, ...note, createdAt, updatedAt: createdAt } satisfies CompleteRow<'note'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: row.id, ...note, createdAt, updatedAt: createdAt }
}

/** Sets the update time of a noteable when its notes change, never to an earlier time. */
export async function touchNoteable(ctx: Context, subject: Noteable): Promise<void> {
  const { id } = toNoteKey(subject)
  await ctx.db
    .updateTable(subject.kind)
    .set({ updatedAt: ctx.now })
    .where('id', '=', id)
    .where('updatedAt', '<', ctx.now)
    .execute()
}
