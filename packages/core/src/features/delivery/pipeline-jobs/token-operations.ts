import { project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { invalid } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { findJob, findPipeline } from '../../code/pipeline-records/queries.ts'
import { withStatus } from '../pipelines/job-times.ts'
import { changeJob, settleJobs } from '../pipelines/mutations.ts'
import { describeJob } from './job-details.ts'
import { jobInput } from './job-input.ts'
import { insertJobToken } from './job-token.ts'
import { projectOfJob } from './reporter.ts'

/** The part of `pipelineJobs` for the tokens with which running jobs use the API. */
export const jobTokenOperations = {
  /** Gets the job that authenticates the call with its token. @throws PlatformError `not_found` for callers without a job token */
  getCurrent: query({
    on: projectOfJob,
    can: 'pipeline.readOwnJob',
    scopes: ['job_token'],
    async run(ctx, _input, subject: Subjects['project']) {
      const id = ctx.actor.kind === 'user' ? (ctx.actor.job?.id ?? 0) : 0
      return describeJob(ctx, subject, await findJob(ctx, subject.project.id, id))
    },
  }),

  /**
   * Creates the token of a job, as when a runner takes the job: one that is pending runs afterwards. The token replaces an earlier
   * one, and is valid until the job ends.
   *
   * @throws PlatformError `invalid` for a job that can neither run nor runs, and for one without a user
   */
  createToken: command({
    on: project,
    can: 'pipeline.record',
    input: jobInput,
    async run(ctx, { job }, { project }) {
      const { id: jobId, status, userId, pipelineId } = await findJob(ctx, project.id, job)
      if (status !== 'pending' && status !== 'running') throw invalid({ job: [`is ${status}, not pending or running`] })
      if (userId === null) throw invalid({ job: ['has no user, whose permissions a token needs'] })
      const token = await insertJobToken(ctx, jobId)
      if (status === 'pending') {
        const pipeline = await findPipeline(ctx, project.id, pipelineId)
        await settleJobs(
          ctx,
          pipeline,
          changeJob(jobId, (record) => withStatus(record, 'running', ctx.now)),
        )
      }
      return {
        /** The token to send in the header `JOB-TOKEN`, or to git as the password of `gitlab-ci-token`. */
        token,
      }
    },
  }),
}
