import * as v from 'valibot'
import { personId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { may, type Subjects } from '../../policy.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import { userIdOf } from '../issuables/author.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import type { MergeRequestApprovals } from './approvals.ts'

const approvalsOf = (ctx: Context, mergeRequestId: number) =>
  ctx.db.selectFrom('mergeRequestApproval').where('mergeRequestId', '=', mergeRequestId)

const told = async (ctx: Context, subject: Subjects['mergeRequest']): Promise<MergeRequestApprovals> => {
  const { id, iid, projectId, title, description, state, createdAt, updatedAt } = subject.mergeRequest
  const rows = await approvalsOf(ctx, id)
    .orderBy('createdAt')
    .orderBy('userId')
    .select(['userId', 'createdAt'])
    .execute()
  const people = await userSummaries(
    ctx,
    rows.map(({ userId }) => userId),
  )
  const mine = rows.some(({ userId }) => userId === personId(ctx.actor))
  return {
    ...{ id, iid, projectId, title, description, state, createdAt, updatedAt },
    approved: rows.length > 0,
    approvedBy: rows.map((row) => ({ user: people.get(row.userId) as UserSummary, approvedAt: row.createdAt })),
    userHasApproved: mine,
    userCanApprove: !mine && state === 'opened' && may(ctx.actor, subject, 'mergeRequest.approve'),
  }
}

/** Only for the host application: whose approval it is. */
const onBehalf = { user: v.optional(Reference) }

export const mergeRequestApprovals = {
  /** Who approves of a merge request. */
  get: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    run: (ctx, _input, subject) => told(ctx, subject),
  }),

  /** Approves of a merge request. */
  approve: command({
    on: mergeRequest,
    can: 'mergeRequest.approve',
    input: onBehalf,
    async run(ctx, { user }, subject) {
      const { id: mergeRequestId, state } = subject.mergeRequest
      if (state !== 'opened') throw conflict('Only an open merge request is approved')
      const userId = await userIdOf(ctx, user)
      const known = await approvalsOf(ctx, mergeRequestId)
        .where('userId', '=', userId)
        .select('userId')
        .executeTakeFirst()
      if (known) throw conflict('The merge request is approved already')
      await ctx.db.insertInto('mergeRequestApproval').values({ mergeRequestId, userId, createdAt: ctx.now }).execute()
      return told(ctx, subject)
    },
  }),

  /** Takes the approval back. */
  unapprove: command({
    on: mergeRequest,
    can: 'mergeRequest.approve',
    input: onBehalf,
    async run(ctx, { user }, subject) {
      const { id } = subject.mergeRequest
      const userId = await userIdOf(ctx, user)
      const known = await approvalsOf(ctx, id).where('userId', '=', userId).select('userId').executeTakeFirst()
      if (!known) throw conflict('There is no approval to take back')
      await ctx.db
        .deleteFrom('mergeRequestApproval')
        .where('mergeRequestId', '=', id)
        .where('userId', '=', userId)
        .execute()
      return told(ctx, subject)
    },
  }),
}
