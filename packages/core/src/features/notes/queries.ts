import type { Kysely } from 'kysely'
import type { Database } from '../../database.ts'
import type { Context } from '../../kernel/context.ts'
import { type Page, pageFrom } from '../../kernel/paging.ts'
import { eachShape, prepared } from '../../kernel/prepared.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import type { Note, NoteableKind, NoteRecord } from './note.ts'

const noteColumns = [
  'note.id',
  'note.authorId',
  'note.body',
  'note.system',
  'note.type',
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

type Column = NoteKey['column']
type Filter = 'all_notes' | 'some'

const one = eachShape((column: Column) =>
  prepared((db, at: { id: number; noteId: number }) =>
    notesOn(db, column, at.id).where('note.id', '=', at.noteId).select(noteColumns),
  ),
)

const count = eachShape((column: Column, filter: Filter) =>
  prepared((db, at: { id: number; system: boolean; most: number }) => {
    const rows = notesOn(db, column, at.id)
      .limit(at.most)
      .select((eb) => eb.lit(1).as('one'))
    const counted = filter === 'all_notes' ? rows : rows.where('note.system', '=', at.system)
    return db.selectFrom(counted.as('counted')).select((eb) => eb.fn.countAll<number>().as('total'))
  }),
)

/** The notes before the page are passed over in the index: only those of the page are read. */
const page = eachShape((column: Column, filter: Filter, orderBy: NoteListing['orderBy'], sort: NoteListing['sort']) =>
  prepared((db, at: { id: number; system: boolean; limit: number; offset: number }) => {
    const moment = orderBy === 'updated_at' ? 'note.updatedAt' : 'note.createdAt'
    const rows = notesOn(db, column, at.id)
    const chosen = (filter === 'all_notes' ? rows : rows.where('note.system', '=', at.system))
      .select(['note.id', `${moment} as moment`])
      .orderBy(moment, sort)
      .orderBy('note.id', 'desc')
      .limit(at.limit)
      .offset(at.offset)
    return db
      .selectFrom(chosen.as('chosen'))
      .crossJoin('note')
      .whereRef('note.id', '=', 'chosen.id')
      .select(noteColumns)
      .orderBy('chosen.moment', sort)
      .orderBy('chosen.id', 'desc')
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
  const filter = activityFilter === 'all_notes' ? 'all_notes' : 'some'
  const asked = { id, system: activityFilter === 'only_activity' }
  return pageFrom(listing, {
    find: (stretch) => page(column, filter, orderBy, sort)(ctx, { ...asked, ...stretch }),
    async count(most) {
      const [counted] = await count(column, filter)(ctx, { ...asked, most })
      return Number((counted as { total: unknown }).total)
    },
  })
}

/** One note of one thing. */
export async function noteOf(ctx: Context, { column, id }: NoteKey, noteId: number): Promise<NoteRecord | undefined> {
  const [row] = await one(column)(ctx, { id, noteId })
  return row
}

/** What notes say of the thing they hang on. */
export type NotePlace = Pick<Note, 'noteableId' | 'noteableType' | 'noteableIid' | 'confidential'>

/** Only discussions on merge requests can be settled. */
const placedAt = ({ type }: NoteRecord, place: NotePlace) => ({
  ...place,
  resolvable: type !== null && place.noteableType === 'MergeRequest',
})

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
    type: record.type,
    body: record.body,
    attachment: null,
    authorId: record.authorId,
    author: people.get(record.authorId) as UserSummary,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    system: record.system,
    ...placedAt(record, placeOf(record)),
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
