import type { Context } from '../../../kernel/context.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import type { JobDefinition } from '../../code/pipeline-records/job-definition.ts'
import type { PipelineRecord } from '../../code/pipeline-records/pipeline.ts'
import { findPipeline, selectJobs } from '../../code/pipeline-records/queries.ts'
import { openRepository } from '../../code/repository/opened-repository.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { readJobVariables } from '../ci-variables/effective-variables.ts'
import { selectArtifacts } from '../pipeline-jobs/artifacts.ts'
import { isProtectedName, readPlanInputs } from '../pipelines/plan-inputs.ts'
import { readStartVariables, readVariables } from '../pipelines/variables.ts'
import { readJobKeys } from './job-keys.ts'
import type { RunnerDependency, RunnerJob, RunnerVariable } from './runner-job.ts'
import type { TakenJob } from './take-job.ts'

const toVariable = (key: string, value: string, others: Partial<RunnerVariable> = {}): RunnerVariable => ({
  ...{ key, value, public: true, masked: false, file: false, raw: false },
  ...others,
})

const toVariables = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, value]) => toVariable(key, value))

/** The predefined variables that only a started job has. */
const predefineJob = ({ id, name, stage, environment }: PipelineJobRecord, { id: pipeline, iid }: PipelineRecord) =>
  toVariables({
    CI_JOB_ID: String(id),
    CI_JOB_NAME: name,
    CI_JOB_STAGE: stage,
    CI_PIPELINE_ID: String(pipeline),
    CI_PIPELINE_IID: String(iid),
    ...(environment !== null && { CI_ENVIRONMENT_NAME: environment }),
  })

/** The earlier jobs with artifacts: those that the job names, or else needs, or else all of earlier stages. */
const readDependencies = async (ctx: Context, job: PipelineJobRecord, keys: JobDefinition['keys']) => {
  const named = Array.isArray(keys.dependencies) ? keys.dependencies.map(String) : job.needs
  const rows = await selectArtifacts(ctx)
    .innerJoin('pipelineJob as other', 'other.id', 'jobArtifact.jobId')
    .where('other.pipelineId', '=', job.pipelineId)
    .where('other.retried', '=', false)
    .orderBy('other.id')
    .select(['other.id', 'other.name', 'other.stageIndex', 'jobArtifact.fileName', 'jobArtifact.size'])
    .execute()
  return rows
    .filter(({ name, stageIndex }) => (named === null ? stageIndex < job.stageIndex : named.includes(name)))
    .map(({ stageIndex: _, ...dependency }): RunnerDependency => dependency)
}

const findMergeRequest = async ({ db }: Context, id: number | null) =>
  id === null
    ? undefined
    : db
        .selectFrom('mergeRequest')
        .where('id', '=', id)
        .select(['id', 'iid', 'title', 'sourceBranch', 'targetBranch', 'projectId', 'sourceProjectId'])
        .executeTakeFirst()

const toRefspecs = ({ ref, tag }: PipelineRecord) => {
  if (ref.startsWith('refs/')) return [`+${ref}:${ref}`]
  return [tag ? `+refs/tags/${ref}:refs/tags/${ref}` : `+refs/heads/${ref}:refs/remotes/origin/${ref}`]
}

const readStored = async (ctx: Context, { id, subject: { project } }: TakenJob) => {
  const job = await selectJobs(ctx, project.id).where('id', '=', id).select('definition').executeTakeFirstOrThrow()
  const pipeline = await findPipeline(ctx, project.id, job.pipelineId)
  const mergeRequest = await findMergeRequest(ctx, pipeline.mergeRequestId)
  const reference = { name: pipeline.ref, isTag: pipeline.tag }
  const isProtected = mergeRequest === undefined && (await isProtectedName(ctx, project.id, reference))
  const definition = job.definition ?? { keys: {}, variables: {} }
  return {
    job,
    pipeline,
    mergeRequest,
    definition,
    settings: await readProjectSettings(ctx, project.id),
    stored: await readJobVariables(ctx, project, { isProtected, environment: job.environment }),
    given: [...(await readVariables(ctx, pipeline)), ...(await readStartVariables(ctx, pipeline, id))],
    dependencies: await readDependencies(ctx, job, definition.keys),
    opened: await openRepository(ctx, { project }),
  }
}

/** Everything that a runner needs to execute a job. Reads git for the predefined variables of the commit. */
export const assembleJob = async (runner: TransactionRunner, taken: TakenJob): Promise<RunnerJob> => {
  const { project } = taken.subject
  const { job, pipeline, mergeRequest, definition, settings, stored, given, dependencies, opened } = await runner.read(
    (ctx) => readStored(ctx, taken),
  )
  if (opened === undefined) throw notFound('Repository')
  const { repository } = opened
  const { sha, tag: isTag, ref, beforeSha, source } = pipeline
  const target = { repository, name: mergeRequest?.sourceBranch ?? ref, sha, isTag }
  const request = { source, before: beforeSha, mergeRequest, readsVariables: false }
  const configPath = settings.ciConfigPath ?? '.gitlab-ci.yml'
  const { conditions } = await readPlanInputs(runner, { project }, target, { ...request, configPath })
  const secret = { public: false, masked: true }
  return {
    ...{ id: job.id, token: taken.token, name: job.name, stage: job.stage },
    project: { id: project.id, name: project.name, fullPath: project.fullPath },
    ...{ ref, tag: isTag, sha, beforeSha, refspecs: toRefspecs(pipeline) },
    depth: settings.ciDefaultGitDepth ?? 0,
    allowGitFetch: settings.buildGitStrategy === 'fetch',
    variables: [
      ...toVariables(conditions.variables),
      ...predefineJob(job, pipeline),
      toVariable('CI_JOB_TOKEN', taken.token, secret),
      ...toVariables(definition.variables),
      ...stored.map(({ key, value, masked, variableType, raw }) =>
        toVariable(key, value, { public: false, masked, file: variableType === 'file', raw }),
      ),
      ...given.map(({ key, value, variableType }) =>
        toVariable(key, value, { public: false, file: variableType === 'file' }),
      ),
    ],
    ...readJobKeys(definition.keys, taken.timeout),
    dependencies,
  }
}
