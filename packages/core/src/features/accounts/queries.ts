import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Settings } from '../settings/definition.ts'
import { getSettings } from '../settings/queries.ts'
import { toUserSummary, type User, type UserSummary } from './user.ts'

export const userColumns = [
  'id',
  'username',
  'name',
  'email',
  'state',
  'admin',
  'external',
  'privateProfile',
  'avatarUrl',
  'createdAt',
] as const

export const selectUsers = (ctx: Context) => ctx.db.selectFrom('user').select(userColumns)

export type UserRow = Awaited<ReturnType<ReturnType<typeof selectUsers>['executeTakeFirstOrThrow']>>

export const toUser = (settings: Settings): ((row: UserRow) => User) => {
  const summary = toUserSummary(settings)
  return (row) => ({
    ...summary(row),
    email: row.email,
    admin: row.admin,
    external: row.external,
    privateProfile: row.privateProfile,
    createdAt: row.createdAt,
  })
}

/** Finds a user by id or username. */
export async function findUser(ctx: Context, ref: number | string): Promise<User> {
  const row = await (typeof ref === 'number'
    ? selectUsers(ctx).where('id', '=', ref)
    : selectUsers(ctx).where(lower('username'), '=', ref.toLowerCase())
  ).executeTakeFirst()
  if (!row) throw notFound('User')
  return toUser(await getSettings(ctx))(row)
}

/** Loads the users with these ids; nulls and duplicates are skipped. */
export async function userSummaries(
  ctx: Context,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, UserSummary>> {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const rows = await selectUsers(ctx).where('id', 'in', distinct).execute()
  const summary = toUserSummary(await getSettings(ctx))
  return new Map(rows.map((row) => [row.id, summary(row)]))
}
