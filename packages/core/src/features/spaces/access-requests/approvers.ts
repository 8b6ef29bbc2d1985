import { Access } from '../../../access/levels.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { toOwnerColumn } from './queries.ts'

/** As many users are asked for a decision as in GitLab. */
const maxApprovers = 10

interface Owner {
  readonly projectId: number | null
  readonly groupId: number | null
}

const findDirect = async (ctx: Context, owner: Owner, level: number): Promise<readonly number[]> => {
  const [column, id] = toOwnerColumn(owner)
  const rows = await ctx.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where(`member.${column}`, '=', id)
    .where('member.accessLevel', '>=', level)
    .where(isUnexpired('member.expiresAt', today(ctx)))
    .where('user.state', '=', 'active')
    .where('user.bot', '=', false)
    .orderBy((eb) => eb.fn.coalesce('user.lastActivityOn', eb.val('')), 'desc')
    .orderBy('user.id')
    .limit(maxApprovers)
    .select('user.id')
    .execute()
  return rows.map((row) => row.id)
}

/**
 * The users who are told of a request: the direct owners of a group, or the direct maintainers and owners of a project, else the owners
 * of its group. At most ten, the most recently active first.
 */
export async function findAccessRequestApprovers(ctx: Context, owner: Owner): Promise<readonly number[]> {
  const { projectId } = owner
  if (projectId === null) return findDirect(ctx, owner, Access.owner)
  const direct = await findDirect(ctx, owner, Access.maintainer)
  if (direct.length) return direct
  const project = ctx.db.selectFrom('project').where('id', '=', projectId).select('namespaceId as groupId')
  return findDirect(ctx, { projectId: null, ...(await project.executeTakeFirstOrThrow()) }, Access.owner)
}
