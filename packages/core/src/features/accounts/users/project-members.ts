import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Database } from '../../../contract/database.ts'
import { isUnexpired } from '../../../db/functions.ts'
import { type Context, today } from '../../../kernel/context.ts'

type UserExpressions = ExpressionBuilder<Database, 'user'>

/** The memberships of the user, with the groups that they reach through shares. */
const selectMemberships = (ctx: Context, eb: UserExpressions) =>
  eb
    .selectFrom('member')
    .whereRef('member.userId', '=', 'user.id')
    .where(isUnexpired('member.expiresAt', today(ctx)))

const selectShares = (ctx: Context, eb: UserExpressions) =>
  selectMemberships(ctx, eb)
    .innerJoin('namespaceLineage as invited', 'invited.ancestorId', 'member.groupId')
    .innerJoin('share', 'share.withGroupId', 'invited.namespaceId')
    .where(isUnexpired('share.expiresAt', today(ctx)))

/** Whether the user has access to a project as a member: directly, by a group, by a share, or as the owner. On rows of `user`. */
export const isMemberOfAnyProject =
  (ctx: Context) =>
  (eb: UserExpressions): Expression<SqlBool> =>
    eb.or([
      eb.exists(selectMemberships(ctx, eb).where('member.projectId', 'is not', null).select('member.id')),
      eb.exists(
        selectMemberships(ctx, eb)
          .innerJoin('namespaceLineage as down', 'down.ancestorId', 'member.groupId')
          .innerJoin('project', 'project.namespaceId', 'down.namespaceId')
          .select('member.id'),
      ),
      eb.exists(selectShares(ctx, eb).where('share.projectId', 'is not', null).select('share.id')),
      eb.exists(
        selectShares(ctx, eb)
          .innerJoin('namespaceLineage as down', 'down.ancestorId', 'share.groupId')
          .innerJoin('project', 'project.namespaceId', 'down.namespaceId')
          .select('share.id'),
      ),
      eb.exists(
        eb
          .selectFrom('namespace')
          .innerJoin('project', 'project.namespaceId', 'namespace.id')
          .whereRef('namespace.ownerId', '=', 'user.id')
          .select('project.id'),
      ),
    ])
