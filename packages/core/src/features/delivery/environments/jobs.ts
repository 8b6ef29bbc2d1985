import { defineJob } from '../../../kernel/jobs/job.ts'
import { linkMergeRequests } from './merge-request-links.ts'
import { enqueueAutoStop, findStopJob, stopEnvironment } from './stop.ts'

/** Stops an environment at its end, unless a later deployment has moved the end. */
export const autoStopEnvironment = defineJob('environments.autoStop', {
  async run({ write }, { environment: id, dueAt }) {
    await write(async (ctx) => {
      const environment = await ctx.db
        .selectFrom('environment')
        .where('id', '=', id)
        .select(['id', 'projectId', 'state', 'autoStopAt', 'autoStopSetting'])
        .executeTakeFirst()
      if (environment?.autoStopAt !== dueAt || environment.state !== 'available') return
      if (dueAt > ctx.now) {
        await enqueueAutoStop(ctx, id, dueAt)
        return
      }
      const { projectId } = environment
      const job = await findStopJob(ctx, projectId, id)
      if (job === undefined && environment.autoStopSetting === 'with_action') return
      await stopEnvironment(ctx, projectId, environment, job, job?.userId ?? null)
    })
  },
})

/** Records the merge requests of a successful deployment, unless the call that reported it has done so. */
export const linkDeployedMergeRequests = defineJob('deployments.linkMergeRequests', {
  run: (tools, { deployment }) => linkMergeRequests(tools, deployment),
})
