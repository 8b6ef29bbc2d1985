import { defineJob } from '../../../kernel/jobs/job.ts'
import { limitDelay } from '../../../kernel/jobs/times.ts'
import { findPipeline, selectJobs } from '../../code/pipeline-records/queries.ts'
import { withStatus } from '../pipelines/job-times.ts'
import { changeJob, settleJobs } from '../pipelines/mutations.ts'

/** Fails a job whose runner has not reported its end in time, so that its pipeline does not wait forever. */
export const failSilentJob = defineJob('runners.failSilentJob', {
  async run({ write }, { projectId, job: id, dueAt }) {
    await write(async (ctx) => {
      const job = await selectJobs(ctx, projectId).where('id', '=', id).executeTakeFirst()
      if (job?.status !== 'running') return
      if (dueAt > ctx.now) {
        const runAfter = limitDelay(ctx.now, dueAt)
        return ctx.enqueue('runners.failSilentJob', { projectId, job: id, dueAt }, { runAfter })
      }
      const failureReason = 'stuck_or_timeout_failure'
      await settleJobs(
        ctx,
        await findPipeline(ctx, projectId, job.pipelineId),
        changeJob(id, (record) => withStatus({ ...record, failureReason }, 'failed', ctx.now)),
      )
    })
  },
})
