import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Container } from '../members/membership-rows.ts'
import { containerKey } from '../members/queries.ts'
import type { DeployToken } from './deploy-token.ts'

const selectTokens = (ctx: Context) =>
  ctx.db
    .selectFrom('deployToken')
    .select(['id', 'projectId', 'groupId', 'name', 'username', 'scopes', 'expiresAt', 'createdAt'])

type Rows = ReturnType<typeof selectTokens>
type DeployTokenRow = Awaited<ReturnType<Rows['executeTakeFirstOrThrow']>>

/** All tokens, or those that have not expired. */
export const selectActiveTokens = (ctx: Context, activeOnly: boolean): Rows => {
  const rows = selectTokens(ctx)
  return activeOnly ? rows.where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', ctx.now)])) : rows
}

/** The tokens of one project or group. */
export const selectTokensOf = (rows: Rows, { projectId, groupId }: ReturnType<typeof containerKey>): Rows =>
  projectId === null ? rows.where('groupId', '=', groupId) : rows.where('projectId', '=', projectId)

export const toDeployToken =
  ({ now }: Pick<Context, 'now'>) =>
  ({ id, name, username, projectId, groupId, scopes, expiresAt, createdAt }: DeployTokenRow): DeployToken => ({
    id,
    name,
    username,
    projectId,
    groupId,
    scopes,
    expiresAt,
    expired: expiresAt !== null && expiresAt <= now,
    revoked: false,
    createdAt,
  })

/** @throws PlatformError `not_found` unless the project or group has the token */
export const getDeployTokenRow = async (ctx: Context, subject: Container, id: number): Promise<DeployTokenRow> => {
  const row = await selectTokensOf(selectTokens(ctx), containerKey(subject)).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Token')
  return row
}
