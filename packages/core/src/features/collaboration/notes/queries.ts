import type { ExpressionBuilder, Kysely } from 'kysely'
import type { Database } from '../../../contract/database.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { fetchPage, type Page } from '../../../kernel/paging.ts'
import { preparedFor, preparedQuery } from '../../../kernel/prepared-query.ts'
import { chain } from '../../../kernel/store.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import type { Note, NoteableKind, NoteRecord } from './note.ts'

const noteColumns = [
  'note.id',
  'note.authorId',
  'note.body',
  'note.system',
  'note.internal',
  'note.type',
  'note.createdAt',
  'note.updatedAt',
] as const

/** The foreign key column of a note, and the id of the noteable. */
export interface NoteKey {
  readonly column: `${NoteableKind}Id`
  readonly id: number
}

const selectNotes = (db: Kysely<Database>, column: NoteKey['column'], id: number) =>
  db.selectFrom('note').where(`note.${column}`, '=', id)

/** Without internal notes of other users. */
export const isPublicOrOwn = (viewerId: number) => (eb: ExpressionBuilder<Database, 'note'>) =>
  eb.or([eb('note.internal', '=', false), eb('note.authorId', '=', viewerId)])

type NoteColumn = NoteKey['column']

/** The notes of a page or a count: all that the current user can read, or only comments or only activity. */
interface NoteFilter {
  readonly activity: 'all_notes' | 'some'
  /** `all` for users who can read internal notes; `own` for those who can only read their own ones. */
  readonly internal: 'all' | 'own'
}

interface FilterParams {
  readonly id: number
  readonly system: boolean
  readonly viewerId: number
}

const selectFilteredNotes = (
  db: Kysely<Database>,
  column: NoteColumn,
  { activity, internal }: NoteFilter,
  { id, system, viewerId }: FilterParams,
) => {
  let rows = selectNotes(db, column, id)
  if (internal === 'own') rows = rows.where(isPublicOrOwn(viewerId))
  return activity === 'all_notes' ? rows : rows.where('note.system', '=', system)
}

const noteQuery = preparedFor((column: NoteColumn) =>
  preparedQuery((db, params: { id: number; noteId: number }) =>
    selectNotes(db, column, params.id).where('note.id', '=', params.noteId).select(noteColumns),
  ),
)

const countQuery = preparedFor(
  (column: NoteColumn, activity: NoteFilter['activity'], internal: NoteFilter['internal']) =>
    preparedQuery((db, params: FilterParams & { limit: number }) => {
      const rows = selectFilteredNotes(db, column, { activity, internal }, params)
        .limit(params.limit)
        .select((eb) => eb.lit(1).as('one'))
      return db.selectFrom(rows.as('counted')).select((eb) => eb.fn.countAll<number>().as('total'))
    }),
)

/**
 * Skips the notes before the page in the index and reads only those of the page, in any order: to sort them, the database would copy
 * all their texts.
 */
const pageQuery = preparedFor(
  (
    column: NoteColumn,
    activity: NoteFilter['activity'],
    internal: NoteFilter['internal'],
    orderBy: NoteListOptions['orderBy'],
    sort: NoteListOptions['sort'],
  ) =>
    preparedQuery((db, params: FilterParams & { limit: number; offset: number }) => {
      const sortTime = orderBy === 'updated_at' ? 'note.updatedAt' : 'note.createdAt'
      const page = selectFilteredNotes(db, column, { activity, internal }, params)
        .select(['note.id', `${sortTime} as sortTime`])
        .orderBy(sortTime, sort)
        .orderBy('note.id', 'desc')
        .limit(params.limit)
        .offset(params.offset)
      return db.selectFrom(page.as('page')).crossJoin('note').whereRef('note.id', '=', 'page.id').select(noteColumns)
    }),
)

const sortNotes = (rows: readonly NoteRecord[], { orderBy, sort }: Pick<NoteListOptions, 'orderBy' | 'sort'>) => {
  const key = orderBy === 'updated_at' ? 'updatedAt' : 'createdAt'
  const later = sort === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => (a[key] === b[key] ? b.id - a.id : a[key] > b[key] ? later : -later))
}

export interface NoteListOptions {
  readonly page: number
  readonly perPage: number
  readonly orderBy: 'created_at' | 'updated_at'
  readonly sort: 'asc' | 'desc'
  readonly activityFilter: 'all_notes' | 'only_comments' | 'only_activity'
}

/** A page of the notes of one noteable. Among notes of the same time, the newest is first in either direction. */
export async function notePage(
  ctx: Context,
  { column, id }: NoteKey,
  { orderBy, sort, activityFilter, readsInternal, ...paging }: NoteListOptions & { readonly readsInternal: boolean },
): Promise<Page<NoteRecord>> {
  const activity = activityFilter === 'all_notes' ? 'all_notes' : 'some'
  const internal = readsInternal ? 'all' : 'own'
  const params = { id, system: activityFilter === 'only_activity', viewerId: getUserId(ctx.actor) }
  return fetchPage(paging, {
    find: (window) =>
      chain(pageQuery(column, activity, internal, orderBy, sort)(ctx, { ...params, ...window }), (rows) =>
        sortNotes(rows, { orderBy, sort }),
      ),
    async count(limit) {
      const [row] = await countQuery(column, activity, internal)(ctx, { ...params, limit })
      return Number(defined(row).total)
    },
  })
}

export async function findNote(ctx: Context, { column, id }: NoteKey, noteId: number): Promise<NoteRecord | undefined> {
  const [row] = await noteQuery(column)(ctx, { id, noteId })
  return row
}

/** The fields of a note that describe the noteable; `confidential` is that of the noteable. */
export type NoteableFields = Pick<Note, 'noteableId' | 'noteableType' | 'noteableIid' | 'confidential'>

/** Only discussions on merge requests can be resolved. */
const toDerivedFields = ({ type, internal }: NoteRecord, fields: NoteableFields) => ({
  ...fields,
  confidential: fields.confidential || internal,
  resolvable: type !== null && fields.noteableType === 'MergeRequest',
})

/** Adds the authors to notes with a single query. */
export async function completeNotes<R extends NoteRecord>(
  ctx: Context,
  records: readonly R[],
  fieldsOf: (record: R) => NoteableFields,
): Promise<Note[]> {
  const users = await userSummaries(
    ctx,
    records.map(({ authorId }) => authorId),
  )
  return records.map((record) => ({
    id: record.id,
    type: record.type,
    body: record.body,
    attachment: null,
    authorId: record.authorId,
    author: defined(users.get(record.authorId)),
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    system: record.system,
    internal: record.internal,
    ...toDerivedFields(record, fieldsOf(record)),
  }))
}

const selectNotesWithNoteable = (ctx: Context, ids: readonly number[]) =>
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

type NoteWithNoteableRow = Awaited<ReturnType<ReturnType<typeof selectNotesWithNoteable>['executeTakeFirstOrThrow']>>

const toNoteableFields = (row: NoteWithNoteableRow): NoteableFields => {
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
  return { noteableType: 'Epic', noteableId: defined(epicId), noteableIid: null, confidential }
}

/** Notes of any noteables by id, without permission checks: for feeds that have checked the visibility already. */
export async function notesById(ctx: Context, ids: readonly (number | null)[]): Promise<ReadonlyMap<number, Note>> {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const notes = await completeNotes(ctx, await selectNotesWithNoteable(ctx, distinct).execute(), toNoteableFields)
  return new Map(notes.map((note) => [note.id, note]))
}
