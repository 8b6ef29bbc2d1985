import type { RunnerDependency, RunnerImage, RunnerJob, RunnerStep, RunnerVariable } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableText } from '../reply/field-types.ts'
import { computed, list, nullable, type Site, wire } from '../reply/wire.ts'

const VariableWire = wire<RunnerVariable>('RunnerVariable')({
  key: v.string(),
  value: v.string(),
  public: v.boolean(),
  masked: v.boolean(),
  file: v.boolean(),
  raw: v.boolean(),
})

const StepWire = wire<RunnerStep>('RunnerStep')({
  name: v.string(),
  script: v.array(v.string()),
  timeout: Integer,
  when: v.string(),
  allow_failure: v.boolean(),
})

const ImageWire = wire<RunnerImage>('RunnerImage')({
  name: v.string(),
  alias: NullableText,
  entrypoint: v.nullable(v.array(v.string())),
  command: v.nullable(v.array(v.string())),
})

const JobInfo = v.strictObject({
  /** Id of the job. */
  id: Integer,
  /** Name of the job. */
  name: v.string(),
  /** Name of its stage. */
  stage: v.string(),
  /** Id of its project. */
  project_id: Integer,
  /** Display name of its project. */
  project_name: v.string(),
})

const GitInfo = v.strictObject({
  /** URL of the repository, with the token of the job. */
  repo_url: v.string(),
  /** Name of the branch or tag. */
  ref: v.string(),
  /** SHA of the commit. */
  sha: v.string(),
  /** SHA of the branch before the push; zeros without one. */
  before_sha: v.string(),
  /** `branch` or `tag`. */
  ref_type: v.string(),
  /** What the runner fetches, as of `git fetch`. */
  refspecs: v.array(v.string()),
  /** Number of commits that the runner fetches; 0 for all. */
  depth: Integer,
})

const ArtifactsFile = v.strictObject({
  /** Name of the archive. */
  filename: v.string(),
  /** Bytes. */
  size: Integer,
})

const RunnerInfo = v.strictObject({
  /** Most seconds of the job. */
  timeout: Integer,
})

const Features = v.strictObject({
  /** Always true: logs can have sections. */
  trace_sections: v.literal(true),
})

const createRepositoryUrl = ({ project, token }: RunnerJob, { url }: Site) =>
  `${url.replace('://', `://gitlab-ci-token:${token}@`)}/${project.fullPath}.git`

const createGitInfo = (job: RunnerJob, site: Site) => ({
  repo_url: createRepositoryUrl(job, site),
  ref: job.ref,
  sha: job.sha,
  before_sha: job.beforeSha ?? '0'.repeat(40),
  ref_type: job.tag ? 'tag' : 'branch',
  refspecs: job.refspecs,
  depth: job.depth,
})

const addUrls = (job: RunnerJob, site: Site): RunnerVariable[] => {
  const page = `${site.url}/${job.project.fullPath}/-`
  const add = (key: string, value: string, isSecret = false) => ({
    ...{ key, value, public: !isSecret, masked: isSecret, file: false, raw: false },
  })
  return [
    add('CI_REPOSITORY_URL', createRepositoryUrl(job, site), true),
    add('CI_JOB_URL', `${page}/jobs/${job.id}`),
    ...job.variables,
  ]
}

const Artifacts = v.array(v.record(v.string(), v.unknown()))

/** An earlier job whose artifacts the job receives. */
const DependencyWire = wire<RunnerDependency & { readonly token: string }>('RunnerDependency')({
  id: Integer,
  name: v.string(),
  /** Token with which the runner downloads the artifacts: that of the job itself. */
  token: v.string(),
  /** The archive of the artifacts. */
  artifacts_file: computed(ArtifactsFile, ({ fileName, size }: RunnerDependency) => ({ filename: fileName, size })),
})

/** A job as the program `gitlab-runner` reads it. */
export const RunnerJobWire = wire<RunnerJob>('RunnerJob')({
  id: Integer,
  token: v.string(),
  allow_git_fetch: v.boolean(),
  /** Names of the job and its project. */
  job_info: computed(JobInfo, ({ id, name, stage, project }: RunnerJob) => ({
    ...{ id, name, stage, project_id: project.id, project_name: project.name },
  })),
  /** What the runner fetches. */
  git_info: computed(GitInfo, createGitInfo),
  /** Limits of the job: `timeout` in seconds. */
  runner_info: computed(RunnerInfo, ({ timeout }: RunnerJob) => ({ timeout })),
  variables: computed(list(VariableWire), addUrls),
  steps: list(StepWire),
  image: nullable(ImageWire),
  services: list(ImageWire),
  /** Files that the runner uploads. */
  artifacts: computed(Artifacts, ({ artifacts }: RunnerJob) => artifacts),
  /** Files that the runner keeps for other jobs. */
  cache: computed(Artifacts, ({ caches }: RunnerJob) => caches),
  dependencies: computed(list(DependencyWire), ({ dependencies, token }: RunnerJob) =>
    dependencies.map((dependency) => ({ ...dependency, token })),
  ),
  /** Always empty: the registry accepts the token of the job. */
  credentials: computed(v.array(v.unknown()), () => []),
  /** What the runner may use: sections in logs. */
  features: computed(Features, () => ({ trace_sections: true as const })),
})
