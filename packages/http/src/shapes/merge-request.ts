import type { MergeRequest } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableDateTime } from '../reply/field-types.ts'
import { computed, nullable, wire } from '../reply/wire.ts'
import { issuableFields, references, taskCompletion, webUrl } from './issuable.ts'
import { UserSummaryWire } from './user.ts'

/** Fields of all merge request shapes. */
export const mergeRequestFields = {
  ...issuableFields,
  target_branch: v.string(),
  source_branch: v.string(),
  source_project_id: Integer,
  target_project_id: computed(Integer, ({ projectId }: MergeRequest) => projectId),
  work_in_progress: v.boolean(),
  merge_when_pipeline_succeeds: computed(v.boolean(), () => false),
  merge_status: v.string(),
  merged_at: NullableDateTime,
  merged_by: nullable(UserSummaryWire),
}

export const MergeRequestWire = wire<MergeRequest>('MergeRequest')({
  ...mergeRequestFields,
  draft: computed(v.boolean(), ({ workInProgress }: MergeRequest) => workInProgress),
  has_conflicts: computed(v.boolean(), ({ mergeStatus }: MergeRequest) => mergeStatus === 'cannot_be_merged'),
  task_completion_status: taskCompletion,
  reference: computed(v.string(), ({ iid }: MergeRequest) => `!${iid}`),
  references: references('!'),
  web_url: webUrl('merge_requests'),
})
