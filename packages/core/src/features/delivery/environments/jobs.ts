import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import { findPipeline } from '../../code/pipeline-records/queries.ts'
import { findActingUser } from '../pipelines/acting-user.ts'
import { assertMayChangePipeline } from '../pipelines/reference-permission.ts'
import { assertMayChangeEnvironment } from '../protected-environments/deploy-access.ts'
import { linkMergeRequests } from './merge-request-links.ts'
import { findReviewEnvironments } from './review-environments.ts'
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

const mayStop = async (
  ctx: Context,
  project: Project,
  name: string,
  job: PipelineJobRecord | undefined,
): Promise<boolean> => {
  try {
    await assertMayChangeEnvironment(ctx, project, name)
    if (job) await assertMayChangePipeline(ctx, project, await findPipeline(ctx, project.id, job.pipelineId))
    return true
  } catch (error) {
    if (error instanceof PlatformError) return false
    throw error
  }
}

/**
 * Stops the environments of a removed branch, and of a merge request that was merged or closed, with their jobs. One that the user may
 * not stop stays, and so does one without a job that stops it, if it requires one.
 */
export const stopReviewEnvironments = defineJob('environments.stopAfter', {
  async run({ write }, review) {
    await write(async (ctx) => {
      const acting = await findActingUser(ctx, review, 'environment.manage')
      if (acting === undefined) return
      const { actor, subject } = acting
      const asUser = ctx.actAs(actor)
      for (const environment of await findReviewEnvironments(ctx, review)) {
        const job = await findStopJob(ctx, review.projectId, environment.id)
        if (job === undefined && environment.autoStopSetting === 'with_action') continue
        if (await mayStop(asUser, subject.project, environment.name, job))
          await stopEnvironment(asUser, review.projectId, environment, job, review.userId)
      }
    })
  },
})

/** Records the merge requests of a successful deployment, unless the call that reported it has done so. */
export const linkDeployedMergeRequests = defineJob('deployments.linkMergeRequests', {
  run: (tools, { deployment }) => linkMergeRequests(tools, deployment),
})
