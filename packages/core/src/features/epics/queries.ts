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

/** Finds an epic by group and id, without a permission check. */
export async function findEpic(ctx: Context, groupId: number, id: number): Promise<EpicRecord | undefined> {
  return ctx.db
    .selectFrom('epic')
    .where('groupId', '=', groupId)
    .where('id', '=', id)
    .select(epicColumns)
    .executeTakeFirst()
}

/** Loads the users of the epics, in one query. */
export async function completeEpics(ctx: Context, records: readonly EpicRecord[]): Promise<Epic[]> {
  const users = await userSummaries(
    ctx,
    records.flatMap(({ authorId, closedById }) => [authorId, closedById]),
  )
  return records.map((record) => ({
    ...record,
    author: users.get(record.authorId) as UserSummary,
    closedBy: record.closedById === null ? null : (users.get(record.closedById) ?? null),
  }))
}
