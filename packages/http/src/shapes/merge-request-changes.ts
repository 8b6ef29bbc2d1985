import type {
  Approval,
  DiffRefs,
  MergeRequestApprovals,
  MergeRequestDetails,
  MergeRequestVersion,
  MergeRequestVersionDetails,
  MergeRequestWithChanges,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableText } from '../reply/field-types.ts'
import { computed, list, nullable, wire } from '../reply/wire.ts'
import { MergeRequestWire } from './merge-request.ts'
import { CommitWire, DiffWire } from './repository.ts'
import { UserSummaryWire } from './user.ts'

const DiffRefsWire = wire<DiffRefs>('DiffRefs')({ base_sha: v.string(), head_sha: v.string(), start_sha: v.string() })

const detailFields = { ...MergeRequestWire.fields, sha: NullableText, diff_refs: nullable(DiffRefsWire) }

/** A merge request with the commits between which it is compared. */
export const MergeRequestDetailsWire = wire<MergeRequestDetails>('MergeRequestDetails')(detailFields)

/** A merge request with its changed files. */
export const MergeRequestWithChangesWire = wire<MergeRequestWithChanges>('MergeRequestWithChanges')({
  ...detailFields,
  changes: list(DiffWire),
  /** Number of changed files, with a `+` if there are more than are listed. */
  changes_count: computed(v.string(), ({ changes, overflow }: MergeRequestWithChanges) =>
    overflow ? `${changes.length}+` : String(changes.length),
  ),
  overflow: v.boolean(),
})

const versionFields = {
  id: Integer,
  head_commit_sha: v.string(),
  base_commit_sha: v.string(),
  start_commit_sha: v.string(),
  created_at: DateTime,
  merge_request_id: Integer,
}

export const VersionWire = wire<MergeRequestVersion>('MergeRequestVersion')(versionFields)

export const VersionDetailsWire = wire<MergeRequestVersionDetails>('MergeRequestVersionDetails')({
  ...versionFields,
  commits: list(CommitWire),
  diffs: list(DiffWire),
})

const ApprovalWire = wire<Approval>('MergeRequestApproval')({ user: UserSummaryWire, approved_at: DateTime })

export const ApprovalsWire = wire<MergeRequestApprovals>('MergeRequestApprovals')({
  id: Integer,
  iid: Integer,
  project_id: Integer,
  title: v.string(),
  description: NullableText,
  state: v.string(),
  created_at: DateTime,
  updated_at: DateTime,
  approved: v.boolean(),
  approved_by: list(ApprovalWire),
  user_has_approved: v.boolean(),
  user_can_approve: v.boolean(),
  /** Always 0: projects have no approval rules. */
  approvals_required: computed(Integer, () => 0),
  /** Always 0: no approvals are required. */
  approvals_left: computed(Integer, () => 0),
})
