import type { WithGeneratedId } from '../../db/generated-id.ts'
import type { MergeRequestRecord } from './merge-request.ts'

export interface MergeRequestTables {
  mergeRequest: WithGeneratedId<MergeRequestRecord>
  mergeRequestAssignee: { mergeRequestId: number; userId: number }
  mergeRequestLabel: { mergeRequestId: number; labelId: number }
}
