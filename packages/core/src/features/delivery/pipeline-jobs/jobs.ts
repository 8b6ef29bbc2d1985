import type { Context } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import { removeArtifact } from './artifacts.ts'

/** Number of jobs in one transaction, which removes their artifacts. */
const batchSize = 200

/** Jobs with artifacts that can be removed: GitLab keeps those of the newest successful pipeline of each branch and tag. */
const findRemovable = (ctx: Context, projectId: number, until: string) => {
  const kept = ctx.db
    .selectFrom('pipeline')
    .where('projectId', '=', projectId)
    .where('status', '=', 'success')
    .groupBy(['ref', 'tag'])
    .select(({ fn }) => fn.max('id').as('id'))
  return ctx.db
    .selectFrom('pipelineJob')
    .innerJoin('jobArtifact', 'jobArtifact.jobId', 'pipelineJob.id')
    .where('pipelineJob.projectId', '=', projectId)
    .where('jobArtifact.createdAt', '<=', until)
    .where('pipelineJob.pipelineId', 'not in', kept)
    .orderBy('pipelineJob.id')
    .limit(batchSize)
    .select('pipelineJob.id')
    .execute()
}

/** Removes the artifacts of a project that were stored until a time, in several transactions. */
export const removeProjectArtifacts = defineJob('pipelineJobs.removeArtifacts', {
  run: (tools, { projectId, until }) =>
    repeatStep(tools, async (ctx) => {
      const jobs = await findRemovable(ctx, projectId, until)
      for (const { id } of jobs) await removeArtifact(ctx, id)
      return jobs.length === batchSize
    }),
})

/** Removes the artifacts that have expired, in several transactions. Until then, they cannot be read. */
export const expireArtifacts = defineJob('pipelineJobs.expireArtifacts', {
  every: 'day',
  async findNextEffect({ db }) {
    const first = await db
      .selectFrom('jobArtifact')
      .where('expiresAt', 'is not', null)
      .orderBy('expiresAt')
      .select('expiresAt')
      .limit(1)
      .executeTakeFirst()
    return first?.expiresAt ?? undefined
  },
  run: (tools) =>
    repeatStep(tools, async (ctx) => {
      const expired = await ctx.db
        .selectFrom('jobArtifact')
        .where('expiresAt', '<=', ctx.now)
        .orderBy('expiresAt')
        .limit(batchSize)
        .select('jobId')
        .execute()
      for (const { jobId } of expired) await removeArtifact(ctx, jobId)
      return expired.length === batchSize
    }),
})
