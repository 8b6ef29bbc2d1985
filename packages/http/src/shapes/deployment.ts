import type { Deployment, DeploymentJob } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, list, type Site, wire } from '../reply/wire.ts'
import { UserSummaryWire } from './user.ts'

type Commit = NonNullable<DeploymentJob['commit']>

const CommitWire = wire<Commit>()({
  id: v.string(),
  short_id: computed(v.string(), ({ id }: Commit) => id.slice(0, 8)),
  title: v.string(),
  message: v.string(),
  author_name: v.string(),
  author_email: v.string(),
  created_at: v.string(),
})

const PipelineWire = wire<NonNullable<DeploymentJob['pipeline']>>()({
  id: v.number(),
  ref: v.string(),
  sha: v.string(),
  status: v.string(),
  web_url: v.nullable(v.string()),
})

const ArtifactWire = wire<DeploymentJob['artifacts'][number]>()({
  file_type: v.string(),
  filename: v.string(),
  file_format: v.nullable(v.string()),
  size: v.number(),
})

const RunnerWire = wire<NonNullable<DeploymentJob['runner']>>()({
  id: v.number(),
  description: v.string(),
  active: v.boolean(),
  is_shared: v.boolean(),
})

/** The job of a deployment: specification 2, "Environment". */
const JobWire = wire<DeploymentJob>()({
  id: v.number(),
  status: v.string(),
  stage: v.string(),
  name: v.string(),
  ref: v.string(),
  tag: v.boolean(),
  coverage: v.nullable(v.number()),
  created_at: v.string(),
  started_at: v.nullable(v.string()),
  finished_at: v.nullable(v.string()),
  duration: v.nullable(v.number()),
  user: UserSummaryWire,
  commit: CommitWire,
  pipeline: PipelineWire,
  web_url: computed(
    v.string(),
    ({ webUrl, projectPath, id }: DeploymentJob, site: Site) => webUrl ?? `${site.url}/${projectPath}/-/jobs/${id}`,
  ),
  artifacts: list(ArtifactWire),
  runner: RunnerWire,
  artifacts_expire_at: v.nullable(v.string()),
})

export const DeploymentWire = wire<Deployment>()({
  id: v.number(),
  iid: v.number(),
  ref: v.string(),
  sha: v.string(),
  created_at: v.string(),
  status: v.string(),
  user: UserSummaryWire,
  deployable: JobWire,
})
