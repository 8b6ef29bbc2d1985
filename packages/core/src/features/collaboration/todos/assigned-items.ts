import { expressionBuilder } from 'kysely'
import type { AccessOptions } from '../../../access/access-conditions.ts'
import { readableIssues, readableMergeRequests } from '../../../access/predicates.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'

/** The number of readable open issues that are assigned to the current user. */
export const countAssignedIssues = async (ctx: Context & AccessOptions): Promise<number> => {
  const row = await ctx.db
    .selectFrom('issueAssignee')
    .innerJoin('issue', 'issue.id', 'issueAssignee.issueId')
    .innerJoin('project', 'project.id', 'issue.projectId')
    .where('issueAssignee.userId', '=', getUserId(ctx.actor))
    .where('issue.state', '=', 'opened')
    .where(readableIssues(ctx)(expressionBuilder()))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The number of readable open merge requests that the current user is to merge, or to review. */
export const countMergeRequestsOf = async (
  ctx: Context & AccessOptions,
  table: 'mergeRequestAssignee' | 'mergeRequestReviewer',
): Promise<number> => {
  const own = ctx.db.selectFrom(table).where('userId', '=', getUserId(ctx.actor)).select('mergeRequestId')
  const row = await ctx.db
    .selectFrom('mergeRequest')
    .innerJoin('project', 'project.id', 'mergeRequest.projectId')
    .where('mergeRequest.id', 'in', own)
    .where('mergeRequest.state', '=', 'opened')
    .where(readableMergeRequests(ctx)(expressionBuilder()))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
