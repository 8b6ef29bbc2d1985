import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, invalid } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { findJob, findPipeline, selectJobs } from '../../code/pipeline-records/queries.ts'
import { isCancelable } from '../../code/pipeline-records/status.ts'
import { resolveOptionalAuthor } from '../../planning/issuables/author.ts'
import { assertNotOutdated } from '../deployments/outdated.ts'
import { withStatus } from '../pipelines/job-times.ts'
import { changeJob, settleJobs } from '../pipelines/mutations.ts'
import { pipelineInput, pipelineVariables } from '../pipelines/pipeline-input.ts'
import { assertMayCancel, assertMayChangePipeline, assertMaySetVariables } from '../pipelines/reference-permission.ts'
import { insertRetry, resetSkippedJobs } from '../pipelines/retry.ts'
import { sealVariables } from '../pipelines/variables.ts'
import { isWaitingForApproval } from '../protected-environments/approvals.ts'
import { assertCanDeploy } from '../protected-environments/deploy-access.ts'
import { describeJob } from './job-details.ts'
import { jobInput } from './job-input.ts'
import { jobListInput, listJobs } from './list.ts'

const listInput = {
  ...jobListInput,
  /** Only jobs of this pipeline, without those that newer ones replace; an id. Default: those of all pipelines. */
  pipeline: v.optional(Id),
  /** Whether to include jobs that newer ones replace; without `pipeline`, they are always included. Default: false. */
  includeRetried: v.optional(v.boolean(), false),
}

/** The user who runs a job; null for the host. @throws PlatformError `forbidden` if the environment is protected against the user */
const resolveJobUser = async (ctx: Context, project: Project, environment: string | null) => {
  const userId = await resolveOptionalAuthor(ctx, undefined)
  if (environment !== null && userId !== null) await assertCanDeploy(ctx, project, environment, userId)
  return userId
}

/** Jobs of pipelines. None is executed: hosts report the results. */
export const pipelineJobs = {
  /** Lists jobs of a project or of one of its pipelines, newest first. */
  list: query({
    on: project,
    can: 'pipeline.read',
    input: listInput,
    async run(ctx, { pipeline, includeRetried, ...input }, subject) {
      const jobs = selectJobs(ctx, subject.project.id).where('kind', '=', 'build')
      if (pipeline === undefined) return listJobs(ctx, subject, jobs, input)
      const { id } = await findPipeline(ctx, subject.project.id, pipeline)
      const rows = jobs.where('pipelineId', '=', id)
      return listJobs(ctx, subject, includeRetried ? rows : rows.where('retried', '=', false), input)
    },
  }),

  /** Lists jobs of a pipeline that start other pipelines, newest first. */
  listBridges: query({
    on: project,
    can: 'pipeline.read',
    input: { ...pipelineInput, ...jobListInput },
    async run(ctx, { pipeline, ...input }, subject) {
      const { id } = await findPipeline(ctx, subject.project.id, pipeline)
      const rows = selectJobs(ctx, subject.project.id).where('pipelineId', '=', id).where('kind', '=', 'bridge')
      return listJobs(ctx, subject, rows, input)
    },
  }),

  /** Gets a job of a project. */
  get: query({
    on: project,
    can: 'pipeline.read',
    input: jobInput,
    run: async (ctx, { job }, subject) => describeJob(ctx, subject, await findJob(ctx, subject.project.id, job)),
  }),

  /**
   * Starts a manual job.
   *
   * @throws PlatformError `invalid` for a job that does not wait for a start or whose deployment waits for approvals, `forbidden` if its environment is protected against the
   * caller or has a newer deployment
   */
  play: command({
    on: project,
    can: 'pipeline.run',
    serializes: 'project',
    input: {
      ...jobInput,
      /** Variables of the job, at most 100; they replace those of the pipeline, and are stored encrypted. Default: none. */
      variables: pipelineVariables,
    },
    async run(ctx, { job, variables }, subject) {
      const { id, status, pipelineId, environment } = await findJob(ctx, subject.project.id, job)
      if (status !== 'manual' && status !== 'scheduled') throw invalid('Unplayable Job')
      if (await isWaitingForApproval(ctx, subject.project.id, { id, environment })) throw invalid('Unplayable Job')
      const pipeline = await findPipeline(ctx, subject.project.id, pipelineId)
      await assertMayChangePipeline(ctx, subject.project, pipeline)
      await assertNotOutdated(ctx, subject.project, { id, environment }, { isRollback: false })
      if (variables.length) {
        await assertMaySetVariables(ctx, subject)
        const sealedVariables = sealVariables(ctx, pipeline, variables)
        await ctx.db.updateTable('pipelineJob').set({ sealedVariables }).where('id', '=', id).execute()
      }
      const userId = await resolveJobUser(ctx, subject.project, environment)
      await settleJobs(
        ctx,
        pipeline,
        changeJob(id, (record) => withStatus({ ...record, userId }, 'pending', ctx.now)),
      )
      return describeJob(ctx, subject, await findJob(ctx, subject.project.id, id))
    },
  }),

  /**
   * Runs a job again that has ended. Returns the new job; jobs that were skipped run after it.
   *
   * @throws PlatformError `forbidden` for a job that has not ended or was replaced, or if its environment is protected against the
   * caller, or has a newer deployment and the project forbids to roll back
   */
  retry: command({
    on: project,
    can: 'pipeline.run',
    serializes: 'project',
    input: jobInput,
    async run(ctx, { job }, subject) {
      const record = await findJob(ctx, subject.project.id, job)
      if (record.retried || !['success', 'failed', 'canceled'].includes(record.status))
        throw forbidden('Job is not retryable')
      const pipeline = await findPipeline(ctx, subject.project.id, record.pipelineId)
      await assertMayChangePipeline(ctx, subject.project, pipeline)
      await assertNotOutdated(ctx, subject.project, record, { isRollback: true })
      const userId = await resolveJobUser(ctx, subject.project, record.environment)
      const id = await insertRetry(ctx, pipeline, record, userId)
      await settleJobs(ctx, pipeline, resetSkippedJobs)
      return describeJob(ctx, subject, await findJob(ctx, subject.project.id, id))
    },
  }),

  /** Cancels a job. One that has ended, or waits for a person, stays unchanged. */
  cancel: command({
    on: project,
    can: 'pipeline.run',
    serializes: 'project',
    input: jobInput,
    async run(ctx, { job }, subject) {
      const { id, pipelineId } = await findJob(ctx, subject.project.id, job)
      const pipeline = await findPipeline(ctx, subject.project.id, pipelineId)
      await assertMayCancel(ctx, subject)
      await assertMayChangePipeline(ctx, subject.project, pipeline)
      await settleJobs(
        ctx,
        pipeline,
        changeJob(id, (record) => (isCancelable(record.status) ? withStatus(record, 'canceled', ctx.now) : record)),
      )
      return describeJob(ctx, subject, await findJob(ctx, subject.project.id, id))
    },
  }),
}
