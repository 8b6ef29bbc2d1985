import { expressionBuilder, type Kysely } from 'kysely'
import { withGrants } from '../../../access/grants.ts'
import { readableNotes } from '../../../access/predicates.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { noteCountKinds } from '../../../db/counters/note-counts.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { toUserSummary, type UserSummary } from '../../accounts/users/user.ts'
import { getSettings } from '../../administration/settings/queries.ts'

/** Issues and merge requests have the same relations in different tables. */
export const relationTables = {
  issue: {
    key: 'issueId',
    labels: 'issueLabel',
    assignees: 'issueAssignee',
    toLabelRow: (issueId: number, labelId: number) => ({ issueId, labelId }) satisfies CompleteRow<'issueLabel'>,
    toAssigneeRow: (issueId: number, userId: number) => ({ issueId, userId }) satisfies CompleteRow<'issueAssignee'>,
  },
  mergeRequest: {
    key: 'mergeRequestId',
    labels: 'mergeRequestLabel',
    assignees: 'mergeRequestAssignee',
    toLabelRow: (mergeRequestId: number, labelId: number) =>
      ({ mergeRequestId, labelId }) satisfies CompleteRow<'mergeRequestLabel'>,
    toAssigneeRow: (mergeRequestId: number, userId: number) =>
      ({ mergeRequestId, userId }) satisfies CompleteRow<'mergeRequestAssignee'>,
  },
} as const

export type IssuableKind = keyof typeof relationTables

const epicLabels = { key: 'epicId', labels: 'epicLabel' } as const

/** The numbers of votes for an item. */
export interface Votes {
  /** Number of `thumbsup` emoji. */
  readonly upvotes: number
  /** Number of `thumbsdown` emoji. */
  readonly downvotes: number
}

export interface IssuableRelations extends Votes {
  /** The assigned users, ordered by id. */
  readonly assignees: readonly UserSummary[]
  /** Label names in alphabetical order. */
  readonly labels: readonly string[]
  /** Number of comments that the current user can read, without system notes. */
  readonly userNotesCount: number
}

// biome-ignore lint/suspicious/noExplicitAny: the same queries for both rows of `relationTables`
const untypedDatabase = (ctx: Context): Kysely<any> => ctx.db

export const groupById = <T>(rows: readonly { id: number; value: T }[]): Map<number, T[]> => {
  const groups = new Map<number, T[]>()
  for (const { id, value } of rows) {
    const values = groups.get(id)
    if (values) values.push(value)
    else groups.set(id, [value])
  }
  return groups
}

export const noRelations: IssuableRelations = { assignees: [], labels: [], upvotes: 0, downvotes: 0, userNotesCount: 0 }

export interface LabelRow {
  readonly itemId: number
  readonly id: number
  readonly name: string
  readonly color: string
  readonly description: string | null
}

/** The labels of the issues or merge requests with these ids, by name. */
export const loadLabelRows = async (
  ctx: Context,
  kind: IssuableKind | 'epic',
  ids: readonly number[],
): Promise<readonly LabelRow[]> => {
  const { key, labels } = kind === 'epic' ? epicLabels : relationTables[kind]
  if (!ids.length) return []
  return untypedDatabase(ctx)
    .selectFrom(labels)
    .innerJoin('label', 'label.id', `${labels}.labelId`)
    .where(`${labels}.${key}`, 'in', ids)
    .orderBy('label.name')
    .select([`${labels}.${key} as itemId`, 'label.id', 'label.name', 'label.color', 'label.description'])
    .execute()
}

/** Counts the votes of issues, merge requests or epics, in one query. */
export async function loadVotes(
  ctx: Context,
  key: 'issueId' | 'mergeRequestId' | 'epicId',
  ids: readonly number[],
): Promise<(id: number) => Votes> {
  const votes = await untypedDatabase(ctx)
    .selectFrom('awardEmoji')
    .where(key, 'in', ids)
    .where('name', 'in', ['thumbsup', 'thumbsdown'])
    .groupBy([key, 'name'])
    .select((eb) => [`${key} as id`, 'name', eb.fn.countAll<number>().as('count')])
    .execute()
  const counts = new Map(votes.map(({ id, name, count }) => [`${id} ${name}`, Number(count)]))
  return (id) => ({
    upvotes: counts.get(`${id} thumbsup`) ?? 0,
    downvotes: counts.get(`${id} thumbsdown`) ?? 0,
  })
}

/** Counts the internal comments that the current user can read. Only items that have some are looked at, one by one. */
const countInternalComments = async (ctx: Context, kind: IssuableKind | 'epic', ids: readonly number[]) => {
  const key = `${kind}Id`
  const readable = readableNotes(await withGrants(ctx), [kind])
  const rows = await untypedDatabase(ctx)
    .selectFrom('note')
    .where(key, 'in', ids)
    .where('system', '=', false)
    .where('internal', '=', true)
    .where(readable(expressionBuilder()))
    .groupBy(key)
    .select((eb) => [`${key} as id`, eb.fn.countAll<number>().as('count')])
    .execute()
  return new Map(rows.map(({ id, count }) => [id, Number(count)]))
}

/** Counts the comments of issues, merge requests or epics that the current user can read, from counters. */
export async function countComments(
  ctx: Context,
  kind: IssuableKind | 'epic',
  ids: readonly number[],
): Promise<(id: number) => number> {
  if (!ids.length) return () => 0
  const rows = await ctx.db
    .selectFrom('noteCount')
    .where('kind', '=', noteCountKinds[kind])
    .where('itemId', 'in', ids)
    .select(['itemId', 'public', 'internal'])
    .execute()
  const counts = new Map(rows.map((row) => [row.itemId, row]))
  const withInternal = rows.flatMap(({ itemId, internal }) => (internal ? itemId : []))
  const internal = withInternal.length ? await countInternalComments(ctx, kind, withInternal) : undefined
  return (id) => (counts.get(id)?.public ?? 0) + (internal?.get(id) ?? 0)
}

/** Loads the relations of the issues or merge requests with these ids, in four queries. */
export async function loadRelations(
  ctx: Context,
  kind: IssuableKind,
  ids: readonly number[],
): Promise<(id: number) => IssuableRelations> {
  const { key, assignees } = relationTables[kind]
  const db = untypedDatabase(ctx)
  if (!ids.length) return () => noRelations
  const [labelRows, assigneeRows, votes, countOf, settings] = await awaitAll([
    loadLabelRows(ctx, kind, ids),
    db
      .selectFrom(assignees)
      .innerJoin('user', 'user.id', `${assignees}.userId`)
      .where(`${assignees}.${key}`, 'in', ids)
      .orderBy('user.id')
      .select([`${assignees}.${key} as issuableId`, 'user.id', 'user.username', 'user.name', 'user.state'])
      .select(['user.avatarUrl', 'user.publicEmail'])
      .execute(),
    loadVotes(ctx, key, ids),
    countComments(ctx, kind, ids),
    getSettings(ctx),
  ])
  const labelNames = groupById<string>(labelRows.map(({ itemId, name }) => ({ id: itemId, value: name })))
  const toSummary = toUserSummary(settings)
  const assigneesById = groupById<UserSummary>(
    assigneeRows.map(({ issuableId, ...row }) => ({ id: issuableId, value: toSummary(row) })),
  )
  return (id) => ({
    labels: labelNames.get(id) ?? [],
    assignees: assigneesById.get(id) ?? [],
    ...votes(id),
    userNotesCount: countOf(id),
  })
}

export async function findLabelIds(ctx: Context, kind: IssuableKind, id: number): Promise<readonly number[]> {
  const { key, labels } = relationTables[kind]
  const rows = await untypedDatabase(ctx).selectFrom(labels).where(key, '=', id).select('labelId').execute()
  return rows.map(({ labelId }) => labelId)
}

interface Links {
  readonly table: string
  /** The column of the issue or merge request, and its id. */
  readonly key: string
  readonly id: number
  /** The column of the linked labels or users. */
  readonly column: 'labelId' | 'userId'
}

/** Deletes and inserts links until these remain. Links that exist are not written. */
const replaceLinks = async (
  ctx: Context,
  { table, key, id, column }: Links,
  rows: readonly { readonly [column: string]: number }[],
): Promise<void> => {
  const db = untypedDatabase(ctx)
  const links = db.deleteFrom(table).where(key, '=', id)
  if (!rows.length) {
    await links.execute()
    return
  }
  const linkedIds = rows.map((row) => row[column])
  await awaitAll([
    links.where(column, 'not in', linkedIds).execute(),
    db
      .insertInto(table)
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  ])
}

export const replaceLabels = (ctx: Context, kind: IssuableKind, id: number, labelIds: readonly number[]) => {
  const { key, labels: table, toLabelRow } = relationTables[kind]
  const rows = [...new Set(labelIds)].map((labelId) => toLabelRow(id, labelId))
  return replaceLinks(ctx, { table, key, id, column: 'labelId' }, rows)
}

export const replaceAssignees = (ctx: Context, kind: IssuableKind, id: number, userIds: readonly number[]) => {
  const { key, assignees: table, toAssigneeRow } = relationTables[kind]
  const rows = [...new Set(userIds)].map((userId) => toAssigneeRow(id, userId))
  return replaceLinks(ctx, { table, key, id, column: 'userId' }, rows)
}
