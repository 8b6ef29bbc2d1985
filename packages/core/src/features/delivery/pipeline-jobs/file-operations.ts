import { project } from '../../../access/subjects.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { findJob, findPipeline } from '../../code/pipeline-records/queries.ts'
import { isFinal } from '../../code/pipeline-records/status.ts'
import { assertMayChangePipeline } from '../pipelines/reference-permission.ts'
import { artifactInput, artifactRules, findArtifactJob } from './artifact-job.ts'
import { findArtifact, readArtifact, removeArtifact } from './artifacts.ts'
import { describeJob } from './job-details.ts'
import { jobInput } from './job-input.ts'
import { projectOrJob } from './reporter.ts'
import { readTrace, removeTrace } from './trace.ts'

/** The part of `pipelineJobs` for logs and artifacts. */
export const jobFiles = {
  /** Gets the log of a job; empty without one. */
  getTrace: query({
    on: project,
    can: 'pipeline.read',
    input: jobInput,
    async run(ctx, { job }, { project }) {
      const { id } = await findJob(ctx, project.id, job)
      return {
        /** Text of the log. */
        content: await readTrace(ctx, id),
      }
    },
  }),

  /** Gets the archive of the artifacts of a job. */
  getArtifacts: query({
    on: projectOrJob,
    can: 'pipeline.read',
    scopes: ['job_token'],
    input: artifactInput,
    rules: artifactRules,
    run: async (ctx, input, { project }) => readArtifact(ctx, await findArtifactJob(ctx, project.id, input)),
  }),

  /** Keeps the artifacts of a job, so that they do not expire. */
  keepArtifacts: command({
    on: project,
    can: 'pipeline.run',
    serializes: 'project',
    input: jobInput,
    async run(ctx, { job }, subject) {
      const record = await findJob(ctx, subject.project.id, job)
      await assertMayChangePipeline(
        ctx,
        subject.project,
        await findPipeline(ctx, subject.project.id, record.pipelineId),
      )
      const { id } = await findArtifact(ctx, record.id)
      await ctx.db.updateTable('jobArtifact').set({ expiresAt: null }).where('id', '=', id).execute()
      return describeJob(ctx, subject, record)
    },
  }),

  /** Removes the artifacts of a job. */
  removeArtifacts: command({
    on: project,
    can: 'pipeline.removeFiles',
    serializes: 'project',
    input: jobInput,
    async run(ctx, { job }, { project }) {
      const { id } = await findJob(ctx, project.id, job)
      await removeArtifact(ctx, id)
    },
  }),

  /**
   * Removes the log and the artifacts of a job.
   *
   * @throws PlatformError `forbidden` for a job that has not ended
   */
  erase: command({
    on: project,
    can: 'pipeline.run',
    serializes: 'project',
    input: jobInput,
    async run(ctx, { job }, subject) {
      const { id, status, pipelineId } = await findJob(ctx, subject.project.id, job)
      await assertMayChangePipeline(ctx, subject.project, await findPipeline(ctx, subject.project.id, pipelineId))
      if (!isFinal(status)) throw forbidden('Job is not erasable!')
      await removeArtifact(ctx, id)
      await removeTrace(ctx, id)
      const row = ctx.db.updateTable('pipelineJob').where('id', '=', id)
      await row.set({ erasedAt: ctx.now }).where('erasedAt', 'is', null).execute()
      return describeJob(ctx, subject, await findJob(ctx, subject.project.id, id))
    },
  }),
}
