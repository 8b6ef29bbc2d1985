import type { Context } from '../../kernel/context.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import type { Note, NoteableKind, NoteRecord } from './note.ts'

export const noteColumns = [
  'note.id',
  'note.authorId',
  'note.body',
  'note.system',
  'note.createdAt',
  'note.updatedAt',
] as const

/** Which thing a note hangs on: the column that ties it, and the thing's id. */
export interface NoteKey {
  readonly column: `${NoteableKind}Id`
  readonly id: number
}

/** Notes of one thing. */
export const notesOf = (ctx: Context, { column, id }: NoteKey) =>
  ctx.db.selectFrom('note').where(`note.${column}`, '=', id).select(noteColumns)

/** One note of one thing. */
export async function noteOf(ctx: Context, key: NoteKey, id: number): Promise<NoteRecord | undefined> {
  const row = await notesOf(ctx, key).where('note.id', '=', id).executeTakeFirst()
  return row
}

/** What notes say of the thing they hang on. */
export type NotePlace = Pick<Note, 'noteableId' | 'noteableType' | 'noteableIid' | 'confidential'>

/** Notes with their authors, in one query however many there are. */
export async function completeNotes<R extends NoteRecord>(
  ctx: Context,
  records: readonly R[],
  placeOf: (record: R) => NotePlace,
): Promise<Note[]> {
  const people = await userSummaries(ctx, records.map(({ authorId }) => authorId))
  return records.map((record) => ({
    id: record.id,
    type: null,
    body: record.body,
    attachment: null,
    authorId: record.authorId,
    author: people.get(record.authorId) as UserSummary,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    system: record.system,
    resolvable: false,
    ...placeOf(record),
  }))
}

const placedRows = (ctx: Context, ids: readonly number[]) =>
  ctx.db
    .selectFrom('note')
    .leftJoin('issue', 'issue.id', 'note.issueId')
    .leftJoin('mergeRequest', 'mergeRequest.id', 'note.mergeRequestId')
    .leftJoin('epic', 'epic.id', 'note.epicId')
    .where('note.id', 'in', ids)
    .select(noteColumns)
    .select(['note.issueId', 'note.mergeRequestId', 'note.snippetId', 'note.epicId'])
    .select(['issue.iid as issueIid', 'issue.confidential as issueConfidential'])
    .select(['mergeRequest.iid as mergeRequestIid', 'epic.confidential as epicConfidential'])

type PlacedRow = Awaited<ReturnType<ReturnType<typeof placedRows>['executeTakeFirstOrThrow']>>

const placeOfRow = (row: PlacedRow): NotePlace => {
  const { issueId, mergeRequestId, snippetId, epicId } = row
  if (issueId !== null) {
    const confidential = row.issueConfidential ?? false
    return { noteableType: 'Issue', noteableId: issueId, noteableIid: row.issueIid, confidential }
  }
  if (mergeRequestId !== null) {
    const noteableIid = row.mergeRequestIid
    return { noteableType: 'MergeRequest', noteableId: mergeRequestId, noteableIid, confidential: false }
  }
  if (snippetId !== null) {
    return { noteableType: 'Snippet', noteableId: snippetId, noteableIid: null, confidential: false }
  }
  const confidential = row.epicConfidential ?? false
  return { noteableType: 'Epic', noteableId: epicId as number, noteableIid: null, confidential }
}

/** The notes with these ids, whatever they hang on and whoever asks: for feeds that have judged already what may be seen. */
export async function notesById(ctx: Context, ids: readonly (number | null)[]): Promise<ReadonlyMap<number, Note>> {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const notes = await completeNotes(ctx, await placedRows(ctx, distinct).execute(), placeOfRow)
  return new Map(notes.map((note) => [note.id, note]))
}
