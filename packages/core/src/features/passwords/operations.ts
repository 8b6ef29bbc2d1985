import * as v from 'valibot'
import { instance, userEntries } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { afterTransaction } from '../../kernel/deferred.ts'
import { Id } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { consumeRateLimit } from '../../kernel/rate-limit.ts'
import { getClientNetwork } from '../../shared/client-network.ts'
import { findUser } from '../accounts/queries.ts'
import { hashPassword, matchesPassword } from './password-hash.ts'

/** A user who has signed in with a password. */
export interface PasswordSession {
  /** Id of the user. */
  readonly userId: number
  /** When the password was set, ISO 8601. A session is valid as long as this is the current value. */
  readonly changedAt: string
}

const limits = { login: 10, address: 30 }
const limitMessage = 'Too many attempts to sign in. Try again later.'

/** Of a network, for all users: against attempts with a few passwords for many users. */
const assertAddressLimit = async (ctx: Context) => {
  const { isRateLimited, ipAddress } = ctx.call
  if (!isRateLimited || ipAddress === undefined) return
  const key = getClientNetwork(ipAddress)
  const { error } = await consumeRateLimit(ctx, {
    name: 'sign_in_address',
    limit: limits.address,
    key,
    message: limitMessage,
  })
  if (error) throw error
}

const selectPassword = ({ db }: Context, username: string) =>
  db
    .selectFrom('userPassword as password')
    .innerJoin('user', 'user.id', 'password.userId')
    .where(lower('user.username'), '=', username.toLowerCase())
    .where('user.state', '=', 'active')
    .select(['password.userId', 'password.hash', 'password.changedAt'])

/** Passwords with which users sign in to the pages of a server. Calls of the API are authenticated by tokens. */
export const passwords = {
  /** Sets the password of a user. Only a hash is stored (scrypt). Ends the sessions that began with an earlier password. */
  set: command({
    on: instance,
    can: 'user.manage',
    input: {
      ...userEntries,
      /** The password: 8 to 128 characters. */
      password: v.pipe(v.string(), v.minLength(8), v.maxLength(128)),
    },
    async run(ctx, { user, password }) {
      const { id: userId } = await findUser(ctx, user)
      return afterTransaction(async ({ write }): Promise<void> => {
        const hash = await hashPassword(password, ctx.passwordCost)
        await write(async ({ db, now }) => {
          const values = { hash, changedAt: now }
          await db
            .insertInto('userPassword')
            .values({ userId, ...values } satisfies CompleteRow<'userPassword'>)
            .onConflict((existing) => existing.column('userId').doUpdateSet(values))
            .execute()
        })
      })
    },
  }),

  /** Removes the password of a user, and ends the sessions that began with it; no error if there is none. */
  remove: command({
    on: instance,
    can: 'user.manage',
    input: userEntries,
    async run(ctx, { user }) {
      const { id } = await findUser(ctx, user)
      await ctx.db.deleteFrom('userPassword').where('userId', '=', id).execute()
    },
  }),

  /**
   * Checks the password of a user; undefined if it is wrong, and for users who may not sign in. At most 10 attempts per minute
   * for a user and 30 for a network are allowed over the network.
   */
  verify: command({
    on: instance,
    can: 'password.verify',
    serializes: 'user',
    input: {
      /** Username, case-insensitive. */
      username: v.pipe(v.string(), v.maxLength(255)),
      /** The password to check. */
      password: v.pipe(v.string(), v.maxLength(1_000)),
    },
    limit: {
      name: 'sign_in',
      getLimit: () => limits.login,
      getKey: (_, { username }) => `user:${username.toLowerCase()}`,
      message: limitMessage,
    },
    async run(ctx, { username, password }) {
      await assertAddressLimit(ctx)
      const row = await selectPassword(ctx, username).executeTakeFirst()
      return afterTransaction(async (): Promise<PasswordSession | undefined> => {
        const isCorrect = await matchesPassword(password, row?.hash, ctx.passwordCost)
        return row && isCorrect ? { userId: row.userId, changedAt: row.changedAt } : undefined
      })
    },
  }),

  /** Whether a session that began with a password is still valid. */
  isCurrent: query({
    on: instance,
    can: 'password.verify',
    input: {
      /** Id of the user. */
      user: Id,
      /** `changedAt` of the session, as `verify` returned it. */
      changedAt: v.string(),
    },
    async run({ db }, { user, changedAt }) {
      const row = await db.selectFrom('userPassword').where('userId', '=', user).select('changedAt').executeTakeFirst()
      return row?.changedAt === changedAt
    },
  }),

  /** Whether any user has a password. */
  areUsed: query({
    on: instance,
    can: 'password.verify',
    async run({ db }) {
      return (await db.selectFrom('userPassword').select('userId').limit(1).executeTakeFirst()) !== undefined
    },
  }),
}
