import type { Subjects } from '../../../contract/subjects.ts'
import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import { toUserSummary } from '../../accounts/users/user.ts'
import type { Settings } from '../../administration/settings/definition.ts'
import { containerKey } from '../members/queries.ts'
import type { AccessRequest } from './access-request.ts'

type Container = Subjects['project'] | Subjects['group']

/** The column of the project or group, and its id. */
export const toOwnerColumn = ({ projectId, groupId }: { projectId: number | null; groupId: number | null }) =>
  projectId === null ? (['groupId', defined(groupId)] as const) : (['projectId', projectId] as const)

/** Access requests of a project or group, oldest first. */
export const selectAccessRequests = (ctx: Context, subject: Container) => {
  const [column, id] = toOwnerColumn(containerKey(subject))
  return ctx.db
    .selectFrom('accessRequest')
    .innerJoin('user', 'user.id', 'accessRequest.userId')
    .where(`accessRequest.${column}`, '=', id)
    .orderBy('accessRequest.id')
    .select(['user.id', 'user.username', 'user.name', 'user.state', 'user.avatarUrl', 'user.publicEmail'])
    .select(['accessRequest.id as requestId', 'accessRequest.createdAt'])
}

export type AccessRequestRow = Awaited<ReturnType<ReturnType<typeof selectAccessRequests>['executeTakeFirstOrThrow']>>

export const toAccessRequest =
  (settings: Settings) =>
  (row: AccessRequestRow): AccessRequest => ({
    ...toUserSummary(settings)(row),
    createdAt: row.createdAt,
    requestedAt: row.createdAt,
  })

/** Finds a user's request by user id or username. */
export async function findAccessRequest(
  ctx: Context,
  subject: Container,
  user: number | string,
): Promise<AccessRequestRow> {
  const row = await selectAccessRequests(ctx, subject)
    .where((eb) =>
      typeof user === 'number' ? eb('user.id', '=', user) : eb(lower('user.username'), '=', user.toLowerCase()),
    )
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}
