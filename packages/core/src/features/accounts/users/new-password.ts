import * as v from 'valibot'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { hashPassword } from './password-hash.ts'
import { assertPermittedPassword } from './password-rules.ts'

/** The password: 8 to 128 characters. */
export const NewPassword = v.pipe(v.string(), v.minLength(8), v.maxLength(128))

/** The fields of a user that change the password. */
export const passwordInput = {
  /**
   * Password for the sign-in page: 8 to 128 characters, with the rules of the settings. The previous one and the sessions that began with it end. Only a hash is
   * stored.
   */
  password: v.optional(NewPassword),
  /**
   * Whether the user is left without a password that anyone knows, despite `password`. No link to choose one is sent: set one, or the
   * user signs in with a token. Default: false.
   */
  resetPassword: v.optional(v.boolean()),
  /** The same as `resetPassword`, without the intention to send a link. Default: false. */
  forceRandomPassword: v.optional(v.boolean()),
}

export interface PasswordChange {
  readonly password?: string | undefined
  readonly resetPassword?: boolean | undefined
  readonly forceRandomPassword?: boolean | undefined
}

/** Ends the password of a user. Returns the time of the next one, which differs from that of this one: sessions are bound to it. */
export const removePassword = async ({ db, now }: Context, userId: number): Promise<string> => {
  const removed = await db.deleteFrom('userPassword').where('userId', '=', userId).returning('changedAt').execute()
  const previous = removed[0]?.changedAt ?? ''
  return previous < now ? now : new Date(Date.parse(previous) + 1).toISOString()
}

/**
 * Changes the password of a user. The previous one ends in this transaction; the new one works when its hash has been calculated,
 * which takes a part of a second.
 *
 * @throws PlatformError `invalid` for a password that the settings do not permit
 */
export const changePassword = async <T>(
  ctx: Context,
  userId: number,
  { password, resetPassword, forceRandomPassword }: PasswordChange,
  result: T,
): Promise<T | Deferred<T>> => {
  if (resetPassword || forceRandomPassword) {
    await removePassword(ctx, userId)
    return result
  }
  if (password === undefined) return result
  await assertPermittedPassword(ctx, password)
  const changedAt = await removePassword(ctx, userId)
  return afterTransaction(async ({ write }): Promise<T> => {
    const hash = await hashPassword(password, ctx.passwordCost)
    await write(async ({ db }) => {
      const values = { hash, changedAt }
      await db
        .insertInto('userPassword')
        .values({ userId, ...values } satisfies CompleteRow<'userPassword'>)
        .onConflict((existing) => existing.column('userId').doUpdateSet(values))
        .execute()
    })
    return result
  })
}
