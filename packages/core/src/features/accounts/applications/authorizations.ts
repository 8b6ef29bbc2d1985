import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'

/** The records with which an application uses the account of the current user; others begin or end a sign-in. */
const grants = ['Grant', 'AccessToken', 'RefreshToken'] as const

/** The applications that the current user has authorized, each once, with the time of the oldest record. */
export const selectAuthorized = ({ db, actor, now }: Context) =>
  db
    .selectFrom('oauthRecord')
    .innerJoin('oauthApplication', 'oauthApplication.id', 'oauthRecord.oauthApplicationId')
    .where('oauthRecord.userId', '=', getUserId(actor))
    .where('oauthRecord.model', 'in', grants)
    .where('oauthRecord.expiresAt', '>', now)
    .groupBy(['oauthApplication.id', 'oauthApplication.name'])
    .select(({ fn }) => [
      'oauthApplication.id',
      'oauthApplication.name',
      fn.min('oauthRecord.createdAt').as('authorizedAt'),
    ])

/** @throws PlatformError `not_found` for an application that the current user has not authorized */
export const removeAuthorization = async (ctx: Context, application: number): Promise<void> => {
  const removed = await ctx.db
    .deleteFrom('oauthRecord')
    .where('userId', '=', getUserId(ctx.actor))
    .where('oauthApplicationId', '=', application)
    .executeTakeFirst()
  if (!removed.numDeletedRows) throw notFound('Application')
}
