import type {
  DiffRefs,
  MergeRef,
  MergeRequestDetails,
  MergeRequestVersion,
  MergeRequestVersionDetails,
  MergeRequestWithChanges,
  Rebase,
  Reviewer,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime, NullableInteger, NullableText } from '../reply/field-types.ts'
import { computed, list, nullable, wire } from '../reply/wire.ts'
import { MergeRequestWire } from './merge-request.ts'
import { PipelineSummaryWire, PipelineWire } from './pipeline.ts'
import { CommitWire, DiffWire } from './repository.ts'
import { UserSummaryWire } from './user.ts'

const DiffRefsWire = wire<DiffRefs>('DiffRefs')({ base_sha: v.string(), head_sha: v.string(), start_sha: v.string() })

const detailFields = {
  ...MergeRequestWire.fields,
  diff_refs: nullable(DiffRefsWire),
  changes_count: NullableText,
  merge_error: NullableText,
  subscribed: v.boolean(),
  title_html: v.optional(v.string()),
  description_html: v.optional(v.string()),
  /** When the pipeline of the newest commit started; null without one. */
  latest_build_started_at: computed(
    NullableDateTime,
    ({ headPipeline }: MergeRequestDetails) => headPipeline?.startedAt ?? null,
  ),
  /** When the pipeline of the newest commit ended; null before. */
  latest_build_finished_at: computed(
    NullableDateTime,
    ({ headPipeline }: MergeRequestDetails) => headPipeline?.finishedAt ?? null,
  ),
  first_deployed_to_production_at: NullableDateTime,
  diverged_commits_count: v.optional(NullableInteger),
  /** Always false: a rebase ends before its response. */
  rebase_in_progress: computed(v.boolean(), () => false),
  /** Always false: contributions are not counted. */
  first_contribution: computed(v.boolean(), () => false),
  /** The same pipeline as `head_pipeline`. */
  pipeline: computed(nullable(PipelineSummaryWire), ({ headPipeline }: MergeRequestDetails) => headPipeline),
  head_pipeline: nullable(PipelineWire),
  /** The permissions of the current user. */
  user: computed(
    v.strictObject({
      /** Whether the current user may merge the merge request, once it can be merged. */
      can_merge: v.boolean(),
    }),
    ({ canMerge }: MergeRequestDetails) => ({ can_merge: canMerge }),
  ),
}

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
  /** Number of changed files, with a `+` if there are more; null for versions of earlier releases. */
  real_size: computed(NullableText, ({ changesCount }: MergeRequestVersion) => changesCount),
  /** Always `collected`: a version is stored with its commits. */
  state: computed(v.string(), () => 'collected'),
}

export const VersionWire = wire<MergeRequestVersion>('MergeRequestVersion')(versionFields)

export const VersionDetailsWire = wire<MergeRequestVersionDetails>('MergeRequestVersionDetails')({
  ...versionFields,
  commits: list(CommitWire),
  diffs: list(DiffWire),
})

/** A user who is requested to review a merge request. */
export const ReviewerWire = wire<Reviewer>('MergeRequestReviewer')({
  user: UserSummaryWire,
  state: v.string(),
  created_at: DateTime,
})

/** The result of a merge that has not happened. */
export const MergeRefWire = wire<MergeRef>('MergeRef')({ commit_id: v.string() })

/** The confirmation of a rebase. */
export const RebaseWire = wire<Rebase>('MergeRequestRebase')({
  /** False after a rebase that failed; else true, as clients expect of an accepted request, although the rebase has ended. */
  rebase_in_progress: computed(v.boolean(), ({ mergeError }: Rebase) => mergeError === null),
  merge_error: NullableText,
})
