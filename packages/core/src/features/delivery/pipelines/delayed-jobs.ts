import { defineJob } from '../../../kernel/jobs/job.ts'
import { findPipeline, selectJobs } from '../../code/pipeline-records/queries.ts'
import { changeJob, enqueueDelayedStart, settleJobs } from './mutations.ts'
import { startJob } from './start-jobs.ts'

/** Starts a delayed job at its time, unless it was started or canceled before. */
export const startDelayedJob = defineJob('pipelines.startDelayed', {
  async run({ write }, { projectId, job: id }) {
    await write(async (ctx) => {
      const job = await selectJobs(ctx, projectId).where('id', '=', id).executeTakeFirst()
      if (job?.status !== 'scheduled' || job.scheduledAt === null) return
      if (job.scheduledAt > ctx.now) return enqueueDelayedStart(ctx, { projectId, job: id }, job.scheduledAt)
      await settleJobs(ctx, await findPipeline(ctx, projectId, job.pipelineId), (jobs, barriers) =>
        changeJob(id, (record) => startJob(record, 'pending', ctx.now, barriers))(jobs, barriers),
      )
    })
  },
})
