import type { MergeRequest } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime, NullableInteger, NullableText } from '../reply/field-types.ts'
import { computed, list, nullable, wire } from '../reply/wire.ts'
import { issuableFields, references, taskCompletion, timeStats, webUrl } from './issuable.ts'
import { UserSummaryWire } from './user.ts'

/** Fields of all merge request shapes. */
const mergeRequestFields = {
  ...issuableFields,
  target_branch: v.string(),
  source_branch: v.string(),
  source_project_id: NullableInteger,
  /** Id of the project that the changes are merged into. */
  target_project_id: computed(Integer, ({ projectId }: MergeRequest) => projectId),
  work_in_progress: v.boolean(),
  merge_when_pipeline_succeeds: v.boolean(),
  merge_status: v.string(),
  merged_at: NullableDateTime,
  merged_by: nullable(UserSummaryWire),
}

export const MergeRequestWire = wire<MergeRequest>('MergeRequest')({
  ...mergeRequestFields,
  /** Estimated and recorded work. */
  time_stats: timeStats,
  /** Whether the merge request is a draft. */
  draft: computed(v.boolean(), ({ workInProgress }: MergeRequest) => workInProgress),
  has_conflicts: v.boolean(),
  detailed_merge_status: v.string(),
  sha: NullableText,
  merge_commit_sha: NullableText,
  squash_commit_sha: NullableText,
  /** The user who merged it; the same as `merged_by`. */
  merge_user: computed(nullable(UserSummaryWire), ({ mergedBy }: MergeRequest) => mergedBy),
  reviewers: list(UserSummaryWire),
  squash: v.boolean(),
  squash_on_merge: v.boolean(),
  /** Whether the merge removes the source branch; null if nothing was chosen. */
  should_remove_source_branch: computed(v.nullable(v.boolean()), ({ removeSourceBranch }: MergeRequest) =>
    removeSourceBranch ? true : null,
  ),
  /** Whether the merge removes the source branch. */
  force_remove_source_branch: computed(v.boolean(), ({ removeSourceBranch }: MergeRequest) => removeSourceBranch),
  /** Whether those who may merge may also push to the source branch. Only of merge requests from forks. */
  allow_collaboration: computed(v.optional(v.boolean()), ({ fromFork, allowCollaboration }: MergeRequest) =>
    fromFork ? allowCollaboration : undefined,
  ),
  /** The former name of `allow_collaboration`. */
  allow_maintainer_to_push: computed(v.optional(v.boolean()), ({ fromFork, allowCollaboration }: MergeRequest) =>
    fromFork ? allowCollaboration : undefined,
  ),
  blocking_discussions_resolved: v.boolean(),
  /** When it was ready for reviews: at its creation. */
  prepared_at: computed(DateTime, ({ createdAt }: MergeRequest) => createdAt),
  /** Always false: the platform does not import merge requests. */
  imported: computed(v.boolean(), () => false),
  /** Always `none`. */
  imported_from: computed(v.string(), () => 'none'),
  /** Always null: rules require approvals. */
  approvals_before_merge: computed(v.null(), () => null),
  merge_after: NullableDateTime,
  /** Task list items of the description. */
  task_completion_status: taskCompletion,
  /** Reference inside the project: `!7`. */
  reference: computed(v.string(), ({ iid }: MergeRequest) => `!${iid}`),
  /** References to the merge request in Markdown. */
  references: references('!'),
  /** URL of the merge request's page. */
  web_url: webUrl('merge_requests'),
})
