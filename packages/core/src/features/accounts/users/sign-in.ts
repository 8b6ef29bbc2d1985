import { type Context, today } from '../../../kernel/context.ts'

/** Records the times and addresses of this sign-in and of the previous one, and activates a deactivated user. */
export const recordSignIn = async (ctx: Context, userId: number): Promise<void> => {
  const ipAddress = ctx.call.ipAddress ?? null
  const user = ctx.db.selectFrom('user').where('id', '=', userId).select('currentSignInIp')
  const previousIpAddress = (await user.executeTakeFirst())?.currentSignInIp ?? null
  await ctx.db
    .updateTable('user')
    .set((eb) => ({
      lastSignInAt: eb.fn.coalesce('currentSignInAt', eb.val(ctx.now)),
      lastSignInIp: eb.fn.coalesce('currentSignInIp', eb.val(ipAddress)),
      // A deactivated user is active again.
      state: eb
        .case()
        .when('state', '=', 'deactivated')
        .then('active' as const)
        .else(eb.ref('state'))
        .end(),
      currentSignInAt: ctx.now,
      currentSignInIp: ipAddress,
      lastActivityOn: today(ctx),
    }))
    .where('id', '=', userId)
    .execute()
  await ctx.emit('user.signedIn', { userId, ipAddress, previousIpAddress })
}
