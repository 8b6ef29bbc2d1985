import * as v from 'valibot'
import { IdOrName, Instant } from '../../../kernel/inputs.ts'
import { triageUpdateInput } from '../../planning/issuables/triage.ts'
import { ApprovalCount } from '../approval-rules/mutations.ts'

export const Branch = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
export const Description = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(1_000_000))))

/** Fields of new and changed merge requests that affect their merge. */
export const mergeOptionsInput = {
  /** Ids or usernames of all requested reviewers, at most 1,000. An empty list or 0 means no reviewer. */
  reviewers: v.optional(v.pipe(v.array(IdOrName), v.maxLength(1_000))),
  /** Whether the merge combines the commits of the source branch, if the project permits a choice. */
  squash: v.optional(v.boolean()),
  /** Whether the merge removes the source branch. */
  removeSourceBranch: v.optional(v.nullable(v.boolean())),
  /** Time before which it cannot be merged; ISO 8601, UTC without an offset. Null for none. */
  mergeAfter: v.optional(v.nullable(Instant)),
  /**
   * Number of approvals by any users that a merge requires, 0 to 100. Without effect if the project requires as many, or permits no
   * rules of merge requests. Requires the paid tier.
   */
  approvalsBeforeMerge: v.optional(ApprovalCount),
}

export const mergeRequestUpdateInput = {
  /** New title, 1 to 255 characters. */
  title: v.optional(v.string()),
  /** Text in Markdown, at most 1,000,000 characters. Null removes it. */
  description: Description,
  /** Name of the new target branch, 1 to 255 characters. It need not exist. */
  targetBranch: v.optional(Branch),
  /** Whether only members of the project can comment. */
  discussionLocked: v.optional(v.boolean()),
  /** Whether those who may merge may also push to the source branch of a fork. Only for users who may push there. */
  allowCollaboration: v.optional(v.boolean()),
  /** `close` or `reopen`; applied after the other changes. Fails with `conflict` on a merged merge request. */
  stateEvent: v.optional(v.picklist(['close', 'reopen'])),
  ...mergeOptionsInput,
  ...triageUpdateInput,
}
