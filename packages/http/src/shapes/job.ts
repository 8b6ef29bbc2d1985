import {
  type ArtifactTreeEntry,
  getSeconds,
  type JobArtifact,
  type JobInProject,
  type PipelineJobDetails,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime, NullableText, Url } from '../reply/field-types.ts'
import { computed, list, nullable, optional, type Site, wire } from '../reply/wire.ts'
import { PipelineSummaryWire } from './pipeline.ts'
import { BasicProjectWire } from './project.ts'
import { CommitWire } from './repository.ts'
import { RunnerWire } from './runner.ts'
import { UserProfileWire } from './user.ts'

/** The archive of the artifacts, as an entry of the list of files. */
const JobArtifactWire = wire<JobArtifact>('JobArtifact')({
  /** Always `archive`. */
  file_type: computed(v.literal('archive'), () => 'archive' as const),
  /** Always `zip`. */
  file_format: computed(v.literal('zip'), () => 'zip' as const),
  /** Name of the file. */
  filename: computed(v.string(), ({ fileName }: JobArtifact) => fileName),
  size: Integer,
})

/** A file or directory in the artifacts. */
export const ArtifactTreeEntryWire = wire<ArtifactTreeEntry>('ArtifactTreeEntry')({
  name: v.string(),
  path: v.string(),
  type: v.string(),
  /** Bytes; omitted for a directory. */
  size: computed(v.optional(Integer), ({ size }: ArtifactTreeEntry) => size ?? undefined),
  mode: v.string(),
})

const ArtifactsFileWire = wire<JobArtifact>('ArtifactsFile')({
  /** Name of the file. */
  filename: computed(v.string(), ({ fileName }: JobArtifact) => fileName),
  size: Integer,
})

/** The project of a job, with the settings that concern jobs. */
const JobProjectWire = wire<object>('JobProject')({
  /** Always false: job tokens are restricted by the projects that they access. */
  ci_job_token_scope_enabled: computed(v.literal(false), () => false as const),
})

export const JobWire = wire<PipelineJobDetails>('Job')({
  id: Integer,
  status: v.string(),
  stage: v.string(),
  name: v.string(),
  /** Name of the branch or tag. */
  ref: computed(v.string(), ({ pipeline }: PipelineJobDetails) => pipeline.ref),
  /** Whether `ref` is a tag. */
  tag: computed(v.boolean(), ({ pipeline }: PipelineJobDetails) => pipeline.tag),
  coverage: v.nullable(v.number()),
  allow_failure: v.boolean(),
  created_at: DateTime,
  started_at: NullableDateTime,
  finished_at: NullableDateTime,
  erased_at: NullableDateTime,
  archived: v.boolean(),
  /** Seconds from the start to the end; null before. */
  duration: computed(v.nullable(v.number()), ({ startedAt, finishedAt }: PipelineJobDetails) =>
    getSeconds(startedAt, finishedAt),
  ),
  /** Seconds that the job has waited for a start; null before. */
  queued_duration: computed(v.nullable(v.number()), ({ queuedAt, startedAt }: PipelineJobDetails) =>
    getSeconds(queuedAt, startedAt),
  ),
  failure_reason: NullableText,
  user: nullable(UserProfileWire),
  commit: nullable(CommitWire),
  pipeline: PipelineSummaryWire,
  /** Settings of the project that concern jobs. */
  project: computed(JobProjectWire, () => ({})),
  /** URL of the job's page. */
  web_url: computed(
    Url,
    ({ id, pipeline }: PipelineJobDetails, { url }: Site) => `${url}/${pipeline.projectPath}/-/jobs/${id}`,
  ),
  /** The archive of the artifacts; omitted without one. */
  artifacts_file: computed(optional(ArtifactsFileWire), ({ artifact }: PipelineJobDetails) => artifact ?? undefined),
  /** Files that the job created. */
  artifacts: computed(list(JobArtifactWire), ({ artifact }: PipelineJobDetails) => (artifact ? [artifact] : [])),
  artifacts_expire_at: NullableDateTime,
  runner: nullable(RunnerWire),
  /** Tags of the runners that could execute the job. */
  tag_list: computed(v.array(v.string()), ({ tags }: PipelineJobDetails) => [...tags]),
})

/** A job with its project, as lists over several projects show it. */
export const JobInProjectWire = wire<JobInProject>('JobInProject')({ ...JobWire.fields, project: BasicProjectWire })

/** A job that starts another pipeline. */
export const BridgeWire = wire<PipelineJobDetails>('Bridge')({
  ...JobWire.fields,
  downstream_pipeline: nullable(PipelineSummaryWire),
})
