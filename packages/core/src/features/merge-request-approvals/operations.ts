import * as v from 'valibot'
import type { CompleteRow } from '../../db/complete-row.ts'
import { conflict, forbidden } from '../../kernel/errors.ts'
import { IdOrName } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { readConfiguration } from '../approval-rules/configuration.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { removeApprovals, selectApprovals } from './mutations.ts'
import { readApprovals, readState } from './queries.ts'

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
   * approved it already, and with `forbidden` for the author if the project does not permit it.
   */
  approve: command({
    on: mergeRequest,
    can: 'mergeRequest.approve',
    serializes: 'project',
    input: onBehalfInput,
    async run(ctx, { user }, subject) {
      const { id: mergeRequestId, projectId, authorId, state } = subject.mergeRequest
      if (state !== 'opened') throw conflict('Only an open merge request can be approved')
      const userId = await resolveAuthorId(ctx, user)
      const existing = await selectApprovals(ctx, mergeRequestId)
        .where('userId', '=', userId)
        .select('userId')
        .executeTakeFirst()
      if (userId === authorId && !(await readConfiguration(ctx, projectId)).mergeRequestsAuthorApproval)
        throw forbidden('Authors cannot approve their own merge requests')
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
      const existing = await selectApprovals(ctx, id).where('userId', '=', userId).select('userId').executeTakeFirst()
      if (!existing) throw conflict('The user has not approved this merge request')
      await ctx.db
        .deleteFrom('mergeRequestApproval')
        .where('mergeRequestId', '=', id)
        .where('userId', '=', userId)
        .execute()
      return readApprovals(ctx, subject)
    },
  }),

  /** The rules that apply to a merge request, and which of them have the required approvals. */
  state: query({
    on: mergeRequest,
    can: 'approvalRule.read',
    tier: 'paid',
    run: (ctx, _input, subject) => readState(ctx, subject),
  }),

  /** Removes all approvals of a merge request. Only for bots of project and group access tokens. */
  reset: command({
    on: mergeRequest,
    can: 'mergeRequest.resetApprovals',
    tier: 'paid',
    serializes: 'project',
    run: (ctx, _input, { mergeRequest }) => removeApprovals(ctx, [mergeRequest.id]),
  }),
}
