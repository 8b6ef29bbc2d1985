import type { Kysely } from 'kysely'
import type { Database } from '../../database.ts'
import type { Context } from '../../kernel/context.ts'
import { type Page, window } from '../../kernel/paging.ts'
import { prepared } from '../../kernel/prepared.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import type { Note, NoteableKind, NoteRecord } from './note.ts'

const noteColumns = [
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

const notesOn = (db: Kysely<Database>, column: NoteKey['column'], id: number) =>
  db.selectFrom('note').where(`note.${column}`, '=', id)

/** One compiled query for each way in which it can be asked: the shape of a query cannot depend on values. */
const each = <T>(build: (...shape: readonly string[]) => T): ((...shape: readonly string[]) => T) => {
  const known = new Map<string, T>()
  return (...shape) => {
    const key = shape.join(' ')
    const made = known.get(key) ?? build(...shape)
    known.set(key, made)
    return made
  }
}

type Column = NoteKey['column']

const one = each((column) =>
  prepared((db, at: { id: number; noteId: number }) =>
    notesOn(db, column as Column, at.id)
      .where('note.id', '=', at.noteId)
      .select(noteColumns),
  ),
)

const total = each((column, filter) =>
  prepared((db, at: { id: number; system: boolean }) => {
    const rows = notesOn(db, column as Column, at.id).select((eb) => eb.fn.countAll<number>().as('total'))
    return filter === 'all_notes' ? rows : rows.where('note.system', '=', at.system)
  }),
)

const page = each((column, filter, orderBy, sort) =>
  prepared((db, at: { id: number; system: boolean; limit: number; offset: number }) => {
    const rows = notesOn(db, column as Column, at.id)
      .orderBy(orderBy === 'updated_at' ? 'note.updatedAt' : 'note.createdAt', sort as 'asc' | 'desc')
      .orderBy('note.id', 'desc')
      .limit(at.limit)
      .offset(at.offset)
      .select(noteColumns)
    return filter === 'all_notes' ? rows : rows.where('note.system', '=', at.system)
  }),
)

export interface NoteListing {
  readonly page: number
  readonly perPage: number
  readonly orderBy: 'created_at' | 'updated_at'
  readonly sort: 'asc' | 'desc'
  readonly activityFilter: 'all_notes' | 'only_comments' | 'only_activity'
}

/** A page of the notes of one thing. Of two with one time the later made one is first, in either direction. */
export async function notePage(ctx: Context, { column, id }: NoteKey, listing: NoteListing): Promise<Page<NoteRecord>> {
  const { orderBy, sort, activityFilter } = listing
  const { limit, offset, ...at } = window(listing)
  const filter = activityFilter === 'all_notes' ? 'all_notes' : 'some'
  const asked = { id, system: activityFilter === 'only_activity', limit, offset }
  const [counted] = await total(column, filter)(ctx, asked)
  const found = Number((counted as { total: unknown }).total)
  const items = offset < found ? await page(column, filter, orderBy, sort)(ctx, asked) : []
  return { items, ...at, total: found }
}

/** One note of one thing. */
export async function noteOf(ctx: Context, { column, id }: NoteKey, noteId: number): Promise<NoteRecord | undefined> {
  const [row] = await one(column)(ctx, { id, noteId })
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
  const people = await userSummaries(
    ctx,
    records.map(({ authorId }) => authorId),
  )
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
