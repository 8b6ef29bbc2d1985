import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { selectTokens, type TokenRow, toToken } from '../../accounts/tokens/rows.ts'
import type { Container } from '../members/membership-rows.ts'
import { containerKey } from '../members/queries.ts'
import type { AccessToken } from './access-token.ts'

/** The column of tokens and memberships that refers to the project or group, and its value. */
export const ownerOf = (subject: Container) => {
  const { projectId, groupId } = containerKey(subject)
  return projectId === null ? (['groupId', groupId] as const) : (['projectId', projectId] as const)
}

/** The tokens of a project or group. */
export const selectAccessTokens = (ctx: Context, subject: Container) => {
  const [column, id] = ownerOf(subject)
  return selectTokens(ctx).where(`personalAccessToken.${column}`, '=', id)
}

/** Adds the access level of the bot; null between the end of its membership and its removal. */
export const withLevel = (rows: ReturnType<typeof selectAccessTokens>, subject: Container) => {
  const [column, id] = ownerOf(subject)
  return rows.select((eb) =>
    eb
      .selectFrom('member')
      .whereRef('member.userId', '=', 'personalAccessToken.userId')
      .where(`member.${column}`, '=', id)
      .select('member.accessLevel')
      .as('accessLevel'),
  )
}

export interface AccessTokenRow extends TokenRow {
  readonly accessLevel: number | null
}

export const toAccessToken = (ctx: Context) => {
  const toTokenFields = toToken(ctx)
  return ({ accessLevel, ...row }: AccessTokenRow): AccessToken => ({
    ...toTokenFields(row),
    accessLevel: accessLevel ?? 0,
  })
}

/** @throws PlatformError `not_found` unless the project or group has the token */
export const getAccessTokenRow = async (ctx: Context, subject: Container, id: number): Promise<AccessTokenRow> => {
  const token = selectAccessTokens(ctx, subject).where('personalAccessToken.id', '=', id)
  const row = await withLevel(token, subject).executeTakeFirst()
  if (!row) throw notFound('Token')
  return row
}
