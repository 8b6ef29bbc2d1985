import * as v from 'valibot'
import type { Subjects } from '../../contract/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { getUserId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { IdOrName } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { hasAbility } from '../../policy/authorize.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { loadProjectSettings } from '../merge-requests/mergeability.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import type { MergeRequestApprovals } from './approvals.ts'

const approvalsOf = (ctx: Context, mergeRequestId: number) =>
  ctx.db.selectFrom('mergeRequestApproval').where('mergeRequestId', '=', mergeRequestId)

const readApprovals = async (ctx: Context, subject: Subjects['mergeRequest']): Promise<MergeRequestApprovals> => {
  const { id, iid, projectId, title, description, state, createdAt, updatedAt } = subject.mergeRequest
  const rows = await approvalsOf(ctx, id)
    .orderBy('createdAt')
    .orderBy('userId')
    .select(['userId', 'createdAt'])
    .execute()
  const users = await userSummaries(
    ctx,
    rows.map(({ userId }) => userId),
  )
  const settings = await loadProjectSettings(ctx, [projectId])
  const userHasApproved = rows.some(({ userId }) => userId === getUserId(ctx.actor))
  return {
    ...{ id, iid, projectId, title, description, state, createdAt, updatedAt },
    approvalsRequired: settings.get(projectId)?.approvalsBeforeMerge ?? 0,
    approved: rows.length > 0,
    approvedBy: rows.map((row) => ({ user: users.get(row.userId) as UserSummary, approvedAt: row.createdAt })),
    userHasApproved,
    userCanApprove: !userHasApproved && state === 'opened' && hasAbility(ctx.actor, subject, 'mergeRequest.approve'),
  }
}

/** For the host application only: the user who approves. */
const onBehalfInput = {
  /** Id or username of the user who approves. The host application must name one; other callers act for themselves. */
  user: v.optional(IdOrName),
}

export const mergeRequestApprovals = {
  /** The approvals of a merge request, and whether the caller has approved or may approve it. */
  get: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    run: (ctx, _input, subject) => readApprovals(ctx, subject),
  }),

  /**
   * Approves a merge request and returns all approvals. Fails with `conflict` if it is not open or the user has
   * approved it already.
   */
  approve: command({
    on: mergeRequest,
    can: 'mergeRequest.approve',
    serializes: 'project',
    input: onBehalfInput,
    async run(ctx, { user }, subject) {
      const { id: mergeRequestId, state } = subject.mergeRequest
      if (state !== 'opened') throw conflict('Only an open merge request can be approved')
      const userId = await resolveAuthorId(ctx, user)
      const existing = await approvalsOf(ctx, mergeRequestId)
        .where('userId', '=', userId)
        .select('userId')
        .executeTakeFirst()
      if (existing) throw conflict('The user has already approved this merge request')
      await ctx.db
        .insertInto('mergeRequestApproval')
        .values({ mergeRequestId, userId, createdAt: ctx.now } satisfies CompleteRow<'mergeRequestApproval'>)
        .execute()
      return readApprovals(ctx, subject)
    },
  }),

  /**
   * Withdraws an approval and returns the remaining ones. Fails with `conflict` if the user has not approved the merge
   * request.
   */
  unapprove: command({
    on: mergeRequest,
    can: 'mergeRequest.approve',
    serializes: 'project',
    input: onBehalfInput,
    async run(ctx, { user }, subject) {
      const { id } = subject.mergeRequest
      const userId = await resolveAuthorId(ctx, user)
      const existing = await approvalsOf(ctx, id).where('userId', '=', userId).select('userId').executeTakeFirst()
      if (!existing) throw conflict('The user has not approved this merge request')
      await ctx.db
        .deleteFrom('mergeRequestApproval')
        .where('mergeRequestId', '=', id)
        .where('userId', '=', userId)
        .execute()
      return readApprovals(ctx, subject)
    },
  }),
}
