import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Subjects } from '../../policy.ts'
import { toUserSummary } from '../accounts/user.ts'
import { ownerOf } from '../members/queries.ts'
import type { Settings } from '../settings/definition.ts'
import type { AccessRequest } from './access-request.ts'

type Container = Subjects['project'] | Subjects['group']

/** The column that says whose a request is, and its value. */
export const requestOwner = ({ projectId, groupId }: { projectId: number | null; groupId: number | null }) =>
  projectId === null ? (['groupId', groupId as number] as const) : (['projectId', projectId] as const)

/** Who asks for access to a project or a group, in the order in which they asked. */
export const requests = (ctx: Context, subject: Container) => {
  const [column, id] = requestOwner(ownerOf(subject))
  return ctx.db
    .selectFrom('accessRequest')
    .innerJoin('user', 'user.id', 'accessRequest.userId')
    .where(`accessRequest.${column}`, '=', id)
    .orderBy('accessRequest.id')
    .select(['user.id', 'user.username', 'user.name', 'user.state', 'user.avatarUrl', 'user.email'])
    .select(['accessRequest.id as requestId', 'accessRequest.createdAt'])
}

export type RequestRow = Awaited<ReturnType<ReturnType<typeof requests>['executeTakeFirstOrThrow']>>

export const toAccessRequest =
  (settings: Settings) =>
  (row: RequestRow): AccessRequest => ({
    ...toUserSummary(settings)(row),
    createdAt: row.createdAt,
    requestedAt: row.createdAt,
  })

/** The request of one user, by id or username. */
export async function findRequest(ctx: Context, subject: Container, user: number | string): Promise<RequestRow> {
  const found = await requests(ctx, subject)
    .where((eb) =>
      typeof user === 'number' ? eb('user.id', '=', user) : eb(lower('user.username'), '=', user.toLowerCase()),
    )
    .executeTakeFirst()
  if (!found) throw notFound()
  return found
}
