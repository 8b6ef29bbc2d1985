import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Deferred, mapResult } from '../../../kernel/deferred.ts'
import { forbidden } from '../../../kernel/errors.ts'
import type { Scope } from '../../../kernel/scopes.ts'
import { assertGrantableScopes, insertToken, revokeToken, rotateToken } from '../../accounts/tokens/rows.ts'
import { createUser } from '../../accounts/users/mutations.ts'
import type { Container } from '../members/membership-rows.ts'
import { addMember, removeMember } from '../members/mutations.ts'
import { directMembers, findMemberByUser } from '../members/queries.ts'
import type { NewAccessToken } from './access-token.ts'
import { getAccessTokenRow, ownerOf, selectAccessTokens } from './queries.ts'

interface NewAccessTokenInput {
  readonly name: string
  readonly description: string | null
  readonly scopes: readonly Scope[]
  readonly accessLevel: number
  readonly expiresAt: string | null
  readonly secret?: string | undefined
}

/**
 * Creates a token with a bot user of its own, who becomes a member.
 *
 * @throws PlatformError `invalid` for a blank name or a level that the current user cannot grant
 */
export async function createAccessToken(
  ctx: Context,
  subject: Container,
  { name, accessLevel, expiresAt, secret, ...token }: NewAccessTokenInput,
): Promise<NewAccessToken> {
  assertGrantableScopes(ctx, token.scopes)
  const [column, id] = ownerOf(subject)
  const suffix = Buffer.from(ctx.ports.random.bytes(8)).toString('hex')
  const username = `${subject.kind}_${id}_bot_${suffix}`
  const { id: userId } = await createUser(ctx, { username, name, bot: true })
  await addMember(ctx, subject, userId, { accessLevel, expiresAt, isBot: true })
  const values = { ...token, name, userId, expiresAt, impersonation: false, [column]: id }
  return { ...(await insertToken(ctx, values, secret)), accessLevel }
}

/** Bots have the level that manages tokens, but only for themselves: others would survive the end of their own token. */
const assertNotOfOther = ({ actor }: Context, { userId }: { readonly userId: number }) => {
  if (actor.kind === 'user' && actor.bot && actor.id !== userId) throw forbidden('Bots can change only their own token')
}

export async function rotateAccessToken(
  ctx: Context,
  subject: Container,
  id: number,
  expiresAt: string | null | undefined,
): Promise<NewAccessToken | Deferred<NewAccessToken>> {
  const row = await getAccessTokenRow(ctx, subject, id)
  assertNotOfOther(ctx, row)
  const rotated = await rotateToken(ctx, id, expiresAt)
  return mapResult(rotated, (token) => ({ ...token, accessLevel: row.accessLevel ?? 0 }))
}

/** Revokes a token. After the last one of a bot, its membership ends; a reaction to that removes the bot. */
export async function revokeAccessToken(ctx: Context, subject: Container, id: number): Promise<void> {
  const row = await getAccessTokenRow(ctx, subject, id)
  assertNotOfOther(ctx, row)
  const { userId, revokedAt } = row
  await assertRowUnmodified(ctx, 'personalAccessToken', id)
  if (revokedAt === null) await revokeToken(ctx, id)
  const usable = selectAccessTokens(ctx, subject).where('userId', '=', userId).where('revokedAt', 'is', null)
  if (await usable.executeTakeFirst()) return
  const member = await findMemberByUser(directMembers(ctx, subject), userId)
  if (member) await removeMember(ctx, subject, member)
}
