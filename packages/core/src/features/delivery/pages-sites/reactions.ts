import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { findRoot } from './find-root.ts'
import { pagesPrefix } from './queries.ts'

/** Publish the sites that jobs build, and remove those of removed projects. */
export const pagesSiteReactions: readonly Reaction[] = [
  defineReaction('pipelineJob.changed', async (ctx, { job: { id: job, kind, projectId, status } }) => {
    if (status !== 'success' || kind !== 'build') return
    const built = await ctx.db
      .selectFrom('pipelineJob')
      .innerJoin('jobArtifact', 'jobArtifact.jobId', 'pipelineJob.id')
      .where('pipelineJob.id', '=', job)
      .select(['pipelineJob.name', 'pipelineJob.definition'])
      .executeTakeFirst()
    if (built && findRoot(built) !== undefined) await ctx.enqueue('pagesSites.publish', { projectId, job })
  }),
  defineReaction('project.removed', (ctx, { project }) =>
    ctx.enqueue('uploads.removeFiles', { prefix: pagesPrefix(project.id) }),
  ),
  defineReaction('group.removed', async (ctx, { groupId }) => {
    const projects = ctx.db
      .selectFrom('pagesDeployment')
      .innerJoin('project', 'project.id', 'pagesDeployment.projectId')
      .innerJoin('namespaceLineage', 'namespaceLineage.namespaceId', 'project.namespaceId')
      .where('namespaceLineage.ancestorId', '=', groupId)
      .select('project.id')
    for (const { id } of await projects.execute()) await ctx.enqueue('uploads.removeFiles', { prefix: pagesPrefix(id) })
  }),
]
