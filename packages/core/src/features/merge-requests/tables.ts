import type { Stored } from '../../db/stored.ts'
import type { MergeRequestRecord } from './merge-request.ts'

export interface MergeRequestTables {
  mergeRequest: Stored<MergeRequestRecord>
  mergeRequestAssignee: { mergeRequestId: number; userId: number }
  mergeRequestLabel: { mergeRequestId: number; labelId: number }
}
