import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { exactlyOne } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { defined } from '../../../shared/defined.ts'
import type { Pipeline, PipelineRecord } from '../../code/pipeline-records/pipeline.ts'
import { completePipelines, findPipeline, selectJobs, selectPipelines } from '../../code/pipeline-records/queries.ts'
import { removePipelines } from '../../code/pipeline-records/removal.ts'
import { isCancelable } from '../../code/pipeline-records/status.ts'
import { projectOrMergeRequest } from '../../collaboration/merge-requests/subject.ts'
import { resolveOptionalAuthor } from '../../planning/issuables/author.ts'
import { createPipeline } from './create-pipeline.ts'
import { withStatus } from './job-times.ts'
import { listInput, listPipelines } from './list.ts'
import { createMergeRequestPipeline } from './merge-request-pipelines.ts'
import { settleJobs } from './mutations.ts'
import { PipelineInputs, pipelineInput, pipelineVariables } from './pipeline-input.ts'
import { assertMayCancel, assertMayChangePipeline } from './reference-permission.ts'
import { insertRetry, resetSkippedJobs } from './retry.ts'
import { emptyTestReport, type TestReport } from './test-report.ts'
import { readVariables } from './variables.ts'

const complete = async (ctx: Context, record: PipelineRecord): Promise<Pipeline> =>
  defined((await completePipelines(ctx, [record]))[0])

/** Pipelines of projects and merge requests. The platform executes nothing: hosts and API clients report the results. */
export const pipelines = {
  /**
   * Lists pipelines of a project, newest first by default; with `mergeRequest`, those of the merge request and of the commits that its
   * source branch has had. Those of a fork only if the current user can read them.
   */
  list: query({
    on: projectOrMergeRequest,
    can: 'pipeline.read',
    input: listInput,
    run: (ctx, input, subject) => listPipelines(ctx, subject, input),
  }),

  /** Gets a pipeline of a project. */
  get: query({
    on: project,
    can: 'pipeline.read',
    input: pipelineInput,
    run: async (ctx, { pipeline }, { project }) => complete(ctx, await findPipeline(ctx, project.id, pipeline)),
  }),

  /** Gets the newest pipeline of a branch or tag. */
  getLatest: query({
    on: project,
    can: 'pipeline.read',
    input: {
      /** Name of the branch or tag. Default: the default branch. */
      ref: v.optional(v.string()),
    },
    async run(ctx, { ref }, { project }) {
      const record = await selectPipelines(ctx, project.id)
        .where('ref', '=', ref ?? project.defaultBranch)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (record === undefined) throw notFound()
      return complete(ctx, record)
    },
  }),

  /** Lists the variables with which a pipeline was created. */
  listVariables: query({
    on: project,
    can: 'pipeline.readVariables',
    input: pipelineInput,
    run: async (ctx, { pipeline }, { project }) => readVariables(ctx, await findPipeline(ctx, project.id, pipeline)),
  }),

  /** Gets the test report of a pipeline. It is empty, because the platform reads no reports of jobs. */
  getTestReport: query({
    on: project,
    can: 'pipeline.read',
    input: pipelineInput,
    async run(ctx, { pipeline }, { project }): Promise<TestReport> {
      await findPipeline(ctx, project.id, pipeline)
      return emptyTestReport
    },
  }),

  /**
   * Creates a pipeline from the pipeline file at a branch or tag, or at the source branch of a merge request. Nothing is executed: report
   * the results of its jobs. The jobs of a merge request are those with rules for merge requests; its pipeline runs in the target project
   * if the current user may run pipelines there, otherwise in the fork.
   *
   * @throws PlatformError `invalid` with the reason if there is no such ref, the file is missing or not valid, or its rules leave no
   * job
   */
  create: command({
    on: projectOrMergeRequest,
    can: 'pipeline.run',
    serializes: 'project',
    input: {
      /** Name of the branch or tag, instead of `mergeRequest`. */
      ref: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_024))),
      /** Variables of the pipeline, at most 100; stored encrypted. Default: none. */
      variables: pipelineVariables,
      /** Values for the inputs in the header of the pipeline file by name, at most 20; texts are converted to its types. Default: none. */
      inputs: v.optional(PipelineInputs, {}),
    },
    rules: [exactlyOne<Readonly<Record<string, unknown>>>('ref', 'mergeRequest')],
    run: (ctx, { ref, ...given }, subject) =>
      subject.kind === 'project'
        ? createPipeline(ctx, subject, { ref: defined(ref), ...given, source: 'api' })
        : createMergeRequestPipeline(ctx, subject, given),
  }),

  /** Runs the failed and canceled jobs of a pipeline again, and then the jobs that were skipped. */
  retry: command({
    on: project,
    can: 'pipeline.run',
    serializes: 'project',
    input: pipelineInput,
    async run(ctx, { pipeline }, { project }) {
      const record = await findPipeline(ctx, project.id, pipeline)
      await assertMayChangePipeline(ctx, project, record)
      const userId = await resolveOptionalAuthor(ctx, undefined)
      const jobs = await selectJobs(ctx, project.id)
        .where('pipelineId', '=', record.id)
        .where('retried', '=', false)
        .where('kind', '<>', 'external')
        .where('status', 'in', ['failed', 'canceled'])
        .orderBy('id')
        .execute()
      for (const job of jobs) await insertRetry(ctx, record, job, userId)
      return settleJobs(ctx, record, jobs.length ? resetSkippedJobs : undefined)
    },
  }),

  /** Changes the name of a pipeline. */
  rename: command({
    on: project,
    can: 'pipeline.run',
    scopes: ['job_token'],
    serializes: 'project',
    input: {
      ...pipelineInput,
      /** New name, 1 to 255 characters. */
      name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255)),
    },
    async run(ctx, { pipeline, name }, { project }) {
      const record = await findPipeline(ctx, project.id, pipeline)
      await assertMayChangePipeline(ctx, project, record)
      await ctx.db.updateTable('pipeline').set({ name }).where('id', '=', record.id).execute()
      return complete(ctx, { ...record, name })
    },
  }),

  /** Cancels the jobs of a pipeline that have not ended. */
  cancel: command({
    on: project,
    can: 'pipeline.run',
    serializes: 'project',
    input: pipelineInput,
    async run(ctx, { pipeline }, subject) {
      const { project } = subject
      const record = await findPipeline(ctx, project.id, pipeline)
      await assertMayCancel(ctx, subject)
      await assertMayChangePipeline(ctx, project, record)
      return settleJobs(ctx, record, (jobs) =>
        jobs.map((job) => (isCancelable(job.status) ? withStatus(job, 'canceled', ctx.now) : job)),
      )
    },
  }),

  /** Removes a pipeline with its jobs, logs and artifacts. */
  remove: command({
    on: project,
    can: 'pipeline.remove',
    serializes: 'project',
    input: pipelineInput,
    async run(ctx, { pipeline }, { project }) {
      const { id } = await findPipeline(ctx, project.id, pipeline)
      await assertRowUnmodified(ctx, 'pipeline', id)
      await removePipelines(ctx, 'id', id)
    },
  }),
}
