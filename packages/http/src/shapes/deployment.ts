import type {
  Deployment,
  DeploymentApproval,
  DeploymentApprovalRuleState,
  DeploymentApprovalSummary,
  DeploymentDetails,
  DeploymentJob,
  DeploymentWithApprovals,
  Environment,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime, NullableInteger, NullableText } from '../reply/field-types.ts'
import { computed, list, nullable, optional, type Site, wire } from '../reply/wire.ts'
import { UserProfileWire, UserSummaryWire } from './user.ts'

type Commit = NonNullable<DeploymentJob['commit']>

/** The deployed commit. */
const CommitWire = wire<Commit>('DeploymentCommit')({
  id: v.string(),
  /** First 8 characters of the commit id. */
  short_id: computed(v.string(), ({ id }: Commit) => id.slice(0, 8)),
  title: v.string(),
  message: v.string(),
  author_name: v.string(),
  author_email: v.string(),
  created_at: DateTime,
  parent_ids: v.optional(v.array(v.string())),
  authored_date: v.optional(DateTime),
  committer_name: v.optional(v.string()),
  committer_email: v.optional(v.string()),
  committed_date: v.optional(DateTime),
})

/** The pipeline of a job. */
const PipelineWire = wire<NonNullable<DeploymentJob['pipeline']>>('DeploymentPipeline')({
  id: Integer,
  ref: v.string(),
  sha: v.string(),
  status: v.string(),
  web_url: NullableText,
  created_at: v.optional(DateTime),
  updated_at: v.optional(DateTime),
})

/** A file that a job created. */
const ArtifactWire = wire<DeploymentJob['artifacts'][number]>('DeploymentArtifact')({
  file_type: v.string(),
  filename: v.string(),
  file_format: NullableText,
  size: Integer,
})

/** The archive of the files that a job created. */
const ArtifactsFileWire = wire<DeploymentJob['artifacts'][number]>('DeploymentArtifactsFile')({
  filename: v.string(),
  size: Integer,
})

/** The runner that executed a job. */
const RunnerWire = wire<NonNullable<DeploymentJob['runner']>>('DeploymentRunner')({
  id: Integer,
  description: v.string(),
  active: v.boolean(),
  is_shared: v.boolean(),
})

/** The job of a deployment: specification 2, "Environment". */
const JobWire = wire<DeploymentJob>('DeploymentJob')({
  id: Integer,
  status: v.string(),
  stage: v.string(),
  name: v.string(),
  ref: v.string(),
  tag: v.boolean(),
  coverage: v.nullable(v.number()),
  created_at: DateTime,
  started_at: NullableDateTime,
  finished_at: NullableDateTime,
  /** Seconds. */
  duration: v.nullable(v.number()),
  user: nullable(UserProfileWire),
  commit: nullable(CommitWire),
  pipeline: computed(
    nullable(PipelineWire),
    ({ pipeline, isPipelineJob, projectPath }: DeploymentJob, { url }: Site) =>
      pipeline && isPipelineJob
        ? { ...pipeline, webUrl: `${url}/${projectPath}/-/pipelines/${pipeline.id}` }
        : pipeline,
  ),
  web_url: computed(
    v.string(),
    ({ webUrl, projectPath, id }: DeploymentJob, site: Site) => webUrl ?? `${site.url}/${projectPath}/-/jobs/${id}`,
  ),
  artifacts: list(ArtifactWire),
  runner: nullable(RunnerWire),
  artifacts_expire_at: NullableDateTime,
  allow_failure: v.optional(v.boolean()),
  erased_at: v.optional(NullableDateTime),
  queued_duration: v.optional(v.nullable(v.number())),
  failure_reason: v.optional(NullableText),
  /** Tags of the runners that could execute the job; omitted for a job that the host described. */
  tag_list: computed(v.optional(v.array(v.string())), ({ tags }: DeploymentJob) => tags && [...tags]),
  /** The archive of the artifacts; omitted without one. */
  artifacts_file: computed(optional(ArtifactsFileWire), ({ artifacts }: DeploymentJob) =>
    artifacts.find(({ fileType }) => fileType === 'archive'),
  ),
})

const deploymentFields = {
  id: Integer,
  iid: Integer,
  ref: v.string(),
  sha: v.string(),
  created_at: DateTime,
  status: v.string(),
  user: nullable(UserSummaryWire),
  deployable: nullable(JobWire),
}

export const DeploymentWire = wire<Deployment>('Deployment')(deploymentFields)

/** An environment: specification 2, "Environment". */
export const EnvironmentWire = wire<Environment>('Environment')({
  id: Integer,
  name: v.string(),
  slug: v.string(),
  external_url: NullableText,
  state: v.string(),
  tier: v.string(),
  auto_stop_at: NullableDateTime,
  description: NullableText,
  auto_stop_setting: v.string(),
  created_at: DateTime,
  updated_at: DateTime,
})

/** A deployment with its environment. */
export const DeploymentDetailsWire = wire<DeploymentDetails>('DeploymentDetails')({
  ...deploymentFields,
  updated_at: DateTime,
  environment: EnvironmentWire,
})

/** The decision of a user on a blocked deployment. */
export const DeploymentApprovalWire = wire<DeploymentApproval>('DeploymentApproval')({
  user: UserSummaryWire,
  status: v.string(),
  created_at: DateTime,
  comment: NullableText,
})

/** An approval rule with the decisions that count for it. */
const DeploymentApprovalRuleStateWire = wire<DeploymentApprovalRuleState>('DeploymentApprovalRuleState')({
  user_id: NullableInteger,
  group_id: NullableInteger,
  access_level: NullableInteger,
  access_level_description: v.string(),
  required_approvals: Integer,
  deployment_approvals: list(DeploymentApprovalWire),
})

/** The approval rules of the environment of a deployment. */
const DeploymentApprovalSummaryWire = wire<DeploymentApprovalSummary>('DeploymentApprovalSummary')({
  rules: list(DeploymentApprovalRuleStateWire),
})

/** A deployment with its approvals. */
export const DeploymentWithApprovalsWire = wire<DeploymentWithApprovals>('DeploymentWithApprovals')({
  ...DeploymentDetailsWire.fields,
  pending_approval_count: Integer,
  approvals: list(DeploymentApprovalWire),
  approval_summary: DeploymentApprovalSummaryWire,
})
