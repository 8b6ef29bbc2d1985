import * as v from 'valibot'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { IdOrName, Instant, InternalId, normalizeInstant } from '../../../kernel/inputs.ts'
import { jobStartConditions } from '../../code/pipeline-records/job.ts'
import { environmentActions, environmentTiers, findNameProblems } from '../../code/pipeline-records/job-environment.ts'
import { type Pipeline, pipelineSources } from '../../code/pipeline-records/pipeline.ts'
import { pipelineStatuses } from '../../code/pipeline-records/status.ts'
import { findMergeRequest } from '../../collaboration/merge-requests/queries.ts'
import { resolveOptionalAuthor } from '../../planning/issuables/author.ts'
import { withStatus } from './job-times.ts'
import { insertJobs, insertPipeline, type NewJob, settleJobs } from './mutations.ts'
import { pipelineVariables } from './pipeline-input.ts'
import { findDelayedStart } from './start-jobs.ts'

const Text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))
const Names = v.pipe(v.array(Text), v.maxLength(100))

/** Texts of environments in pipelines; URLs have the length that environments allow. */
const NullableText = v.optional(v.nullable(Text), null)

const Environment = v.strictObject({
  /** Name of the environment. */
  name: Text,
  /** What the job does with the environment. Only `start`, the default, deploys; `stop` stops the environment. */
  action: v.optional(v.picklist(environmentActions), 'start'),
  /** URL of the deployed application. `$CI_ENVIRONMENT_SLUG` is replaced by the slug. Default: unchanged. */
  url: NullableText,
  /** Name of the job that stops the environment. Default: none. */
  onStop: NullableText,
  /** Time after the deployment until the environment is stopped, such as `1 week`. Default: it is not. */
  autoStopIn: NullableText,
  /** Kind of environment. Default: follows from the name. */
  deploymentTier: v.optional(v.nullable(v.picklist(environmentTiers)), null),
})

const RecordedJob = v.strictObject({
  /** Name of the job, unique within the pipeline. */
  name: Text,
  /** Name of the stage. Stages have the order of their first jobs. Default: `test`. */
  stage: v.optional(Text, 'test'),
  /** Status of the job. Default: `created`, which starts when the earlier jobs have ended. */
  status: v.optional(v.picklist(pipelineStatuses), 'created'),
  /** When the job starts, relative to the earlier jobs. Default: `on_success`. */
  startsWhen: v.optional(v.picklist(jobStartConditions), 'on_success'),
  /** Delay of a job that starts `delayed`, such as `30 minutes`. Default: it starts only when a person starts it. */
  startIn: NullableText,
  /** How long the artifacts are kept, such as `1 week` or `never`. Default: the setting `defaultArtifactsExpireIn`. */
  artifactsExpireIn: NullableText,
  /** Whether a failure of the job does not make the pipeline fail. Default: false. */
  allowFailure: v.optional(v.boolean(), false),
  /** Names of the jobs that the job waits for. Default: all jobs of earlier stages. */
  needs: v.optional(v.nullable(Names), null),
  /** Tags of the runners that could execute the job, at most 100. Default: none. */
  tags: v.optional(Names, []),
  /** The environment that the job deploys to, or its name. Default: none. */
  environment: v.optional(v.nullable(v.union([Text, Environment])), null),
  /** Test coverage in percent. Default: unknown. */
  coverage: v.optional(v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(100))), null),
  /** When the job started; ISO 8601, UTC without an offset. Default: follows from the status. */
  startedAt: v.optional(Instant),
  /** When the job ended; ISO 8601, UTC without an offset. Default: follows from the status. */
  finishedAt: v.optional(Instant),
})

export const recordInput = {
  /** Name of the branch or tag; for a pipeline of a merge request, its source branch. */
  ref: Text,
  /** Full SHA of the commit, 40 or 64 hexadecimal digits. It need not exist in the repository. */
  sha: v.pipe(v.string(), v.regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)),
  /** Whether `ref` is a tag. Default: false. */
  tag: v.optional(v.boolean(), false),
  /** What created the pipeline. Default: `push`. */
  source: v.optional(v.picklist(pipelineSources), 'push'),
  /** Name of the pipeline. Default: none. */
  name: v.optional(v.nullable(Text), null),
  /** Status of a pipeline without jobs; otherwise it follows from the jobs. Default: `created`. */
  status: v.optional(v.picklist(pipelineStatuses), 'created'),
  /** Number of the merge request that the pipeline belongs to. Default: none. */
  mergeRequest: v.optional(InternalId),
  /** Variables of the pipeline, at most 100; stored encrypted. Default: none. */
  variables: pipelineVariables,
  /** The jobs, at most 1,000. Default: none. */
  jobs: v.optional(v.pipe(v.array(RecordedJob), v.maxLength(1_000)), []),
  /** Id or username of the user who created the pipeline. Default: none. */
  user: v.optional(IdOrName),
}

type RecordInput = v.InferOutput<v.ObjectSchema<typeof recordInput, undefined>>
type JobInput = RecordInput['jobs'][number]

const toInstantOr = (instant: string | undefined, fallback: string | null) =>
  instant === undefined ? fallback : normalizeInstant(instant)

/** @throws PlatformError `invalid` for an invalid name */
const toEnvironment = (environment: JobInput['environment']) => {
  if (environment === null) return { environment, environmentOptions: null }
  const { name, ...options } = typeof environment === 'string' ? { name: environment } : environment
  const problems = findNameProblems(name)
  if (problems.length) throw invalid({ environment: problems })
  return { environment: name, environmentOptions: 'action' in options ? options : null }
}

const toNewJob = (
  ctx: Context,
  stages: readonly string[],
  { startedAt, finishedAt, environment, ...job }: JobInput,
): NewJob => {
  const waiting = {
    ...job,
    ...toEnvironment(environment),
    queuedAt: null,
    startedAt: null,
    finishedAt: null,
    failureReason: null,
  }
  const timed = withStatus(waiting, job.status, ctx.now)
  return {
    ...timed,
    scheduledAt: job.status === 'scheduled' ? findDelayedStart(job, ctx.now) : null,
    stageIndex: stages.indexOf(job.stage),
    failureReason: job.status === 'failed' ? 'script_failure' : null,
    startedAt: toInstantOr(startedAt, timed.startedAt),
    finishedAt: toInstantOr(finishedAt, timed.finishedAt),
  }
}

/** Records a pipeline that ran or runs elsewhere. */
export const recordPipeline = async (
  ctx: Context,
  { id: projectId }: Project,
  input: RecordInput,
): Promise<Pipeline> => {
  const { jobs, user, mergeRequest: iid, ref, ...fields } = input
  if (new Set(jobs.map(({ name }) => name)).size < jobs.length) throw invalid({ jobs: ['must have different names'] })
  const mergeRequest = iid === undefined ? undefined : await findMergeRequest(ctx, projectId, iid)
  if (iid !== undefined && mergeRequest === undefined) throw invalid({ mergeRequest: ['does not exist'] })
  const record = await insertPipeline(ctx, {
    ...fields,
    projectId,
    ref: mergeRequest ? `refs/merge-requests/${mergeRequest.iid}/head` : ref,
    mergeRequestId: mergeRequest?.id ?? null,
    userId: await resolveOptionalAuthor(ctx, user),
  })
  const stages = [...new Set(jobs.map(({ stage }) => stage))]
  await insertJobs(
    ctx,
    record,
    jobs.map((job) => toNewJob(ctx, stages, job)),
  )
  return settleJobs(ctx, record, undefined, { isNew: true })
}
