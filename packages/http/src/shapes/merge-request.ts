import type { MergeRequest, SubscribedMergeRequest } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableDateTime } from '../reply/field-types.ts'
import { computed, nullable, wire } from '../reply/wire.ts'
import { issuableFields, references, taskCompletion, timeStats, webUrl } from './issuable.ts'
import { UserSummaryWire } from './user.ts'

/** Fields of all merge request shapes. */
export const mergeRequestFields = {
  ...issuableFields,
  target_branch: v.string(),
  source_branch: v.string(),
  source_project_id: Integer,
  /** Id of the project that the changes are merged into. */
  target_project_id: computed(Integer, ({ projectId }: MergeRequest) => projectId),
  work_in_progress: v.boolean(),
  /** Always false: the platform runs no pipelines. */
  merge_when_pipeline_succeeds: computed(v.boolean(), () => false),
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
  /** Whether the branches have conflicting changes. */
  has_conflicts: computed(v.boolean(), ({ mergeStatus }: MergeRequest) => mergeStatus === 'cannot_be_merged'),
  /** Task list items of the description. */
  task_completion_status: taskCompletion,
  /** Reference inside the project: `!7`. */
  reference: computed(v.string(), ({ iid }: MergeRequest) => `!${iid}`),
  /** References to the merge request in Markdown. */
  references: references('!'),
  /** URL of the merge request's page. */
  web_url: webUrl('merge_requests'),
})

export const SubscribedMergeRequestWire = wire<SubscribedMergeRequest>('SubscribedMergeRequest')({
  ...MergeRequestWire.fields,
  subscribed: v.boolean(),
})
