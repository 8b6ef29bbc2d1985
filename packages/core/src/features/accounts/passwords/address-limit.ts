import type { Context } from '../../../kernel/context.ts'
import { consumeRateLimit } from '../../../kernel/rate-limit.ts'
import { getClientNetwork } from '../../../shared/client-network.ts'

const addressLimit = 30

export const limitMessage = 'Too many attempts to sign in. Try again later.'

/** Of a network, for all users: against attempts with a few passwords for many users. */
export const assertAddressLimit = async (ctx: Context) => {
  const { isRateLimited, ipAddress } = ctx.call
  if (!isRateLimited || ipAddress === undefined) return
  const key = getClientNetwork(ipAddress)
  const { error } = await consumeRateLimit(ctx, {
    name: 'sign_in_address',
    limit: addressLimit,
    key,
    message: limitMessage,
  })
  if (error) throw error
}
