import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'

const selectByPrimary = ({ db }: Context, email: string) =>
  db.selectFrom('user').where(lower('email'), '=', email.toLowerCase()).select('id')

const selectAdditional = ({ db }: Context, email: string) =>
  db.selectFrom('emailAddress').where(lower('email'), '=', email.toLowerCase()).select('userId')

/** A user's primary address, followed by the other confirmed addresses, in their original case. */
export async function readEmailAddresses(ctx: Context, userId: number): Promise<readonly string[]> {
  const user = await ctx.db.selectFrom('user').where('id', '=', userId).select('email').executeTakeFirstOrThrow()
  const extra = await ctx.db
    .selectFrom('emailAddress')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .orderBy('id')
    .select('email')
    .execute()
  return [user.email, ...extra.map(({ email }) => email)]
}

/** The id of the user with this primary or confirmed additional address, ignoring case. */
export async function findUserIdByEmail(ctx: Context, email: string): Promise<number | undefined> {
  const user = await selectByPrimary(ctx, email).executeTakeFirst()
  if (user) return user.id
  const address = await selectAdditional(ctx, email).where('confirmedAt', 'is not', null).executeTakeFirst()
  return address?.userId
}

/** Whether any user has the address, confirmed or not, ignoring case. */
export const isEmailTaken = async (ctx: Context, email: string): Promise<boolean> =>
  (await selectByPrimary(ctx, email).executeTakeFirst()) !== undefined ||
  (await selectAdditional(ctx, email).executeTakeFirst()) !== undefined

/**
 * Confirms an additional address that the user has added and that is no primary address. Returns whether there was one to
 * confirm.
 */
export async function confirmEmail(ctx: Context, userId: number, email: string): Promise<boolean> {
  if (await selectByPrimary(ctx, email).executeTakeFirst()) return false
  const rows = await ctx.db
    .updateTable('emailAddress')
    .set({ confirmedAt: ctx.now })
    .where(lower('email'), '=', email.toLowerCase())
    .where('userId', '=', userId)
    .where('confirmedAt', 'is', null)
    .returning('id')
    .execute()
  return rows.length > 0
}
