import * as v from 'valibot'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { conflict } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { readConfiguration } from '../approval-rules/configuration.ts'
import { requireApprovals } from '../approval-rules/merge-request-rules.ts'
import { ApprovalCount } from '../approval-rules/mutations.ts'
import { readHead } from '../merge-requests/changes/head.ts'
import { assertSourceTip, readSourceTip } from '../merge-requests/changes/source-tip.ts'
import { findMergeRequest } from '../merge-requests/queries.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { createPasswordCheck, readCommitterEmails } from './approval-checks.ts'
import type { MergeRequestApprovals } from './approvals.ts'
import { approve, unapprove } from './approve.ts'
import { removeApprovals } from './mutations.ts'
import { readApprovals, readState } from './queries.ts'

/** For the host application only: the user who approves. */
const onBehalfInput = {
  /** Id or username of the user who approves. The host application must name one; other callers act for themselves. */
  user: v.optional(IdOrName),
}

export const mergeRequestApprovals = {
  /** Gets the approvals of a merge request, and whether the current user has approved or may approve it. */
  get: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    run: (ctx, _input, subject) => readApprovals(ctx, subject),
  }),

  /**
   * Changes the number of approvals by any users that a merge request requires, and returns its approvals.
   *
   * @throws PlatformError `invalid` for a number below that of the project; `forbidden` if the project does not permit rules
   * of merge requests
   */
  update: command({
    on: mergeRequest,
    can: 'approvalRule.manage',
    tier: 'paid',
    input: {
      /** Number of required approvals, 0 to 100. */
      approvalsRequired: ApprovalCount,
    },
    async run(ctx, { approvalsRequired }, subject) {
      await requireApprovals(ctx, subject, approvalsRequired)
      return readApprovals(ctx, subject)
    },
  }),

  /**
   * Approves a merge request and returns all approvals. Fails with `conflict` if it is not open or the user has
   * approved it already, or if `sha` is not its head, with `forbidden` for the author and for users with commits in it if the project
   * does not permit it, and with `unauthenticated` without the password that the project requires. A
   * change of the target branch removes the approvals.
   */
  approve: command({
    on: mergeRequest,
    can: 'mergeRequest.approve',
    serializes: 'project',
    input: {
      ...onBehalfInput,
      /** The expected head of the source branch, a full hexadecimal SHA. Fails with `conflict` for another head. */
      sha: v.optional(v.pipe(v.string(), v.maxLength(64))),
      /** The password of the current user, if the project requires it; ignored otherwise. */
      approvalPassword: v.optional(v.pipe(v.string(), v.maxLength(1_000))),
    },
    async run(ctx, { user, sha, approvalPassword }, subject) {
      const configuration = await readConfiguration(ctx, subject.project.id)
      const { requirePasswordToApprove, mergeRequestsDisableCommittersApproval: excludesCommitters } = configuration
      if (sha === undefined && !requirePasswordToApprove && !excludesCommitters) return approve(ctx, subject, user)
      const assertPassword = requirePasswordToApprove ? await createPasswordCheck(ctx, approvalPassword) : undefined
      const head = await readHead(ctx, subject)
      return afterTransaction(async (runner): Promise<MergeRequestApprovals> => {
        await assertPassword?.()
        assertSourceTip(await readSourceTip(head), sha)
        const committers = excludesCommitters ? await readCommitterEmails(runner, head) : undefined
        return runner.write(async (later) => {
          const { iid } = subject.mergeRequest
          const record = (await findMergeRequest(later, subject.project.id, iid)) ?? subject.mergeRequest
          if (record.targetBranch !== subject.mergeRequest.targetBranch) throw conflict('The target branch was changed')
          return approve(later, { ...subject, mergeRequest: record }, user, committers)
        })
      })
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
    run: (ctx, { user }, subject) => unapprove(ctx, subject, user),
  }),

  /** Lists the rules that apply to a merge request, and which of them have the required approvals. */
  getState: query({
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
