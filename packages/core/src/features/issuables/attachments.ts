import type { Kysely } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { toUserSummary, type UserSummary } from '../accounts/user.ts'
import { settingsInForce } from '../settings/queries.ts'

/** Issues and merge requests carry the same kinds of things; only the tables that hold them differ. */
const tables = {
  issue: { key: 'issueId', labels: 'issueLabel', assignees: 'issueAssignee' },
  mergeRequest: { key: 'mergeRequestId', labels: 'mergeRequestLabel', assignees: 'mergeRequestAssignee' },
} as const

export type IssuableKind = keyof typeof tables

export interface Attachments {
  readonly assignees: readonly UserSummary[]
  /** Names, in alphabetical order. */
  readonly labels: readonly string[]
  readonly upvotes: number
  readonly downvotes: number
  /** Comments; records of changes do not count. */
  readonly userNotesCount: number
}

// biome-ignore lint/suspicious/noExplicitAny: one set of queries over two families of tables, named above
const anyTable = (ctx: Context): Kysely<any> => ctx.db

const grouped = <T>(rows: readonly { id: number; value: T }[]): Map<number, T[]> => {
  const groups = new Map<number, T[]>()
  for (const { id, value } of rows) {
    const known = groups.get(id)
    if (known) known.push(value)
    else groups.set(id, [value])
  }
  return groups
}

/** What hangs on the issues or merge requests with these ids, in four queries. */
export async function attachments(
  ctx: Context,
  kind: IssuableKind,
  ids: readonly number[],
): Promise<(id: number) => Attachments> {
  const { key, labels, assignees } = tables[kind]
  const db = anyTable(ctx)
  const none: Attachments = { assignees: [], labels: [], upvotes: 0, downvotes: 0, userNotesCount: 0 }
  if (!ids.length) return () => none
  const named = await db
    .selectFrom(labels)
    .innerJoin('label', 'label.id', `${labels}.labelId`)
    .where(`${labels}.${key}`, 'in', ids)
    .orderBy('label.name')
    .select([`${labels}.${key} as id`, 'label.name as value'])
    .execute()
  const people = await db
    .selectFrom(assignees)
    .innerJoin('user', 'user.id', `${assignees}.userId`)
    .where(`${assignees}.${key}`, 'in', ids)
    .orderBy('user.id')
    .select([`${assignees}.${key} as of`, 'user.id', 'user.username', 'user.name', 'user.state'])
    .select(['user.avatarUrl', 'user.email'])
    .execute()
  const votes = await db
    .selectFrom('awardEmoji')
    .where(key, 'in', ids)
    .where('name', 'in', ['thumbsup', 'thumbsdown'])
    .groupBy([key, 'name'])
    .select((eb) => [`${key} as id`, 'name', eb.fn.countAll<number>().as('count')])
    .execute()
  const comments = await db
    .selectFrom('note')
    .where(key, 'in', ids)
    .where('system', '=', false)
    .groupBy(key)
    .select((eb) => [`${key} as id`, eb.fn.countAll<number>().as('count')])
    .execute()
  const commented = new Map(comments.map(({ id, count }) => [id, Number(count)]))
  const labelNames = grouped<string>(named)
  const summary = toUserSummary(await settingsInForce(ctx))
  const assigned = grouped<UserSummary>(people.map(({ of: id, ...row }) => ({ id, value: summary(row) })))
  const counts = new Map(votes.map(({ id, name, count }) => [`${id} ${name}`, Number(count)]))
  return (id) => ({
    labels: labelNames.get(id) ?? [],
    assignees: assigned.get(id) ?? [],
    upvotes: counts.get(`${id} thumbsup`) ?? 0,
    downvotes: counts.get(`${id} thumbsdown`) ?? 0,
    userNotesCount: commented.get(id) ?? 0,
  })
}

/** Ids of the labels of an issue or merge request. */
export async function labelIdsOn(ctx: Context, kind: IssuableKind, id: number): Promise<readonly number[]> {
  const { key, labels } = tables[kind]
  const rows = await anyTable(ctx).selectFrom(labels).where(key, '=', id).select('labelId').execute()
  return rows.map(({ labelId }) => labelId)
}

/** Replaces the labels of an issue or merge request. */
export async function replaceLabels(ctx: Context, kind: IssuableKind, id: number, labelIds: readonly number[]) {
  const { key, labels } = tables[kind]
  const db = anyTable(ctx)
  await db.deleteFrom(labels).where(key, '=', id).execute()
  const rows = [...new Set(labelIds)].map((labelId) => ({ [key]: id, labelId }))
  if (rows.length) await db.insertInto(labels).values(rows).execute()
}

/** Replaces the assignees of an issue or merge request. */
export async function replaceAssignees(ctx: Context, kind: IssuableKind, id: number, userIds: readonly number[]) {
  const { key, assignees } = tables[kind]
  const db = anyTable(ctx)
  await db.deleteFrom(assignees).where(key, '=', id).execute()
  const rows = [...new Set(userIds)].map((userId) => ({ [key]: id, userId }))
  if (rows.length) await db.insertInto(assignees).values(rows).execute()
}
