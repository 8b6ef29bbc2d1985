import type { Subjects } from '../../../contract/subjects.ts'
import { lower } from '../../../db/functions.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { cachedQuery } from '../../../kernel/prepared-query.ts'
import type { Settings } from '../../administration/settings/definition.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { toCommitEmail } from './commit-email.ts'
import { toUserSummary, type User, type UserSummary } from './user.ts'

const userColumns = [
  'id',
  'username',
  'name',
  'email',
  'publicEmail',
  'state',
  'admin',
  'external',
  'privateProfile',
  'bot',
  'avatarUrl',
  'createdAt',
  'commitEmail',
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
    bot: row.bot,
    createdAt: row.createdAt,
    commitEmail: toCommitEmail(settings, row),
  })
}

const userById = cachedQuery((db, { id }: { id: number }) =>
  db.selectFrom('user').where('id', '=', id).select(userColumns),
)

const userByUsername = cachedQuery((db, { username }: { username: string }) =>
  db.selectFrom('user').where(lower('username'), '=', username).select(userColumns),
)

/** Finds a user by id or username; undefined for an unknown one. */
export async function findUserIfKnown(ctx: Context, ref: number | string): Promise<User | undefined> {
  const [row] = await (typeof ref === 'number'
    ? userById(ctx, { id: ref })
    : userByUsername(ctx, { username: ref.toLowerCase() }))
  return row && toUser(await getSettings(ctx))(row)
}

/** The id of a user as a subject. */
export const getAccountId = async (ctx: Context, account: Subjects['currentUser' | 'user']): Promise<number> =>
  account.kind === 'currentUser' ? getUserId(ctx.actor) : (await findUser(ctx, account.user)).id

/** Finds a user by id or username. @throws PlatformError `not_found` for an unknown one */
export async function findUser(ctx: Context, ref: number | string): Promise<User> {
  const user = await findUserIfKnown(ctx, ref)
  if (!user) throw notFound('User', ref)
  return user
}

/** Loads the users with these ids; nulls and duplicates are skipped. */
export async function userSummaries(
  ctx: Context,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, UserSummary>> {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  const [first, ...others] = distinct
  if (first === undefined) return new Map()
  // A single user, usually the current user, is cached.
  const rows = others.length
    ? await selectUsers(ctx).where('id', 'in', distinct).execute()
    : await userById(ctx, { id: first })
  const summary = toUserSummary(await getSettings(ctx))
  return new Map(rows.map((row) => [row.id, summary(row)]))
}
