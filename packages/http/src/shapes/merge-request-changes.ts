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
import { computed, list, wire } from '../reply/wire.ts'
import { MergeRequestWire } from './merge-request.ts'
import { CommitWire, DiffWire } from './repository.ts'
import { UserSummaryWire } from './user.ts'

const DiffRefsWire = wire<DiffRefs>()({ base_sha: v.string(), head_sha: v.string(), start_sha: v.string() })

const detailFields = { ...MergeRequestWire.fields, sha: v.nullable(v.string()), diff_refs: DiffRefsWire }

/** A merge request with the commits between which it is compared. */
export const MergeRequestDetailsWire = wire<MergeRequestDetails>()(detailFields)

/** A merge request with its changed files. */
export const MergeRequestWithChangesWire = wire<MergeRequestWithChanges>()({
  ...detailFields,
  changes: list(DiffWire),
  changes_count: computed(v.string(), ({ changes, overflow }: MergeRequestWithChanges) =>
    overflow ? `${changes.length}+` : String(changes.length),
  ),
  overflow: v.boolean(),
})

const versionFields = {
  id: v.number(),
  head_commit_sha: v.string(),
  base_commit_sha: v.string(),
  start_commit_sha: v.string(),
  created_at: v.string(),
  merge_request_id: v.number(),
}

export const VersionWire = wire<MergeRequestVersion>()(versionFields)

export const VersionDetailsWire = wire<MergeRequestVersionDetails>()({
  ...versionFields,
  commits: list(CommitWire),
  diffs: list(DiffWire),
})

const ApprovalWire = wire<Approval>()({ user: UserSummaryWire, approved_at: v.string() })

export const ApprovalsWire = wire<MergeRequestApprovals>()({
  id: v.number(),
  iid: v.number(),
  project_id: v.number(),
  title: v.string(),
  description: v.nullable(v.string()),
  state: v.string(),
  created_at: v.string(),
  updated_at: v.string(),
  approved: v.boolean(),
  approved_by: list(ApprovalWire),
  user_has_approved: v.boolean(),
  user_can_approve: v.boolean(),
  /** Projects have no approval rules. */
  approvals_required: computed(v.number(), () => 0),
  approvals_left: computed(v.number(), () => 0),
})
