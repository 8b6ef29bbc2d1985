import type { Context } from '../../kernel/context.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import type { Epic, EpicRecord } from './epic.ts'

export const epicColumns = [
  'epic.id',
  'epic.iid',
  'epic.groupId',
  'epic.authorId',
  'epic.title',
  'epic.description',
  'epic.state',
  'epic.confidential',
  'epic.createdAt',
  'epic.updatedAt',
  'epic.closedAt',
  'epic.closedById',
] as const

/** An epic of a group by its id, whoever asks. */
export async function findEpic(ctx: Context, groupId: number, id: number): Promise<EpicRecord | undefined> {
  const row = await ctx.db
    .selectFrom('epic')
    .where('groupId', '=', groupId)
    .where('id', '=', id)
    .select(epicColumns)
    .executeTakeFirst()
  return row
}

/** Epics with the people who are part of them, in one query however many there are. */
export async function completeEpics(ctx: Context, records: readonly EpicRecord[]): Promise<Epic[]> {
  const people = await userSummaries(
    ctx,
    records.flatMap(({ authorId, closedById }) => [authorId, closedById]),
  )
  return records.map((record) => ({
    ...record,
    author: people.get(record.authorId) as UserSummary,
    closedBy: record.closedById === null ? null : (people.get(record.closedById) ?? null),
  }))
}
