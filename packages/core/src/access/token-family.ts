import type { Context } from '../kernel/context.ts'
import { hashToken } from './token-digest.ts'

/**
 * Revokes the tokens that replaced a revoked one, and those that it replaced. Whoever uses a replaced token to rotate it does not know
 * the new one: one of both callers has stolen it.
 */
export const revokeFamily = async (
  { db, now }: Pick<Context, 'db' | 'now'>,
  used: { readonly id: number } | { readonly secret: string },
): Promise<void> => {
  const tokens = db.selectFrom('personalAccessToken').where('revokedAt', 'is not', null).select(['id', 'familyId'])
  const token = await ('id' in used
    ? tokens.where('id', '=', used.id)
    : tokens.where('digest', '=', hashToken(used.secret))
  ).executeTakeFirst()
  if (!token) return
  const first = token.familyId ?? token.id
  await db
    .updateTable('personalAccessToken')
    .set({ revokedAt: now })
    .where((eb) => eb.or([eb('id', '=', first), eb('familyId', '=', first)]))
    .where('revokedAt', 'is', null)
    .execute()
}
