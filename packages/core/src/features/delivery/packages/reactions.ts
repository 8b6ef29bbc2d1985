import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { packagePrefix } from '../../collaboration/uploads/upload-file.ts'

/** Remove the package files of removed projects. */
export const packageReactions: readonly Reaction[] = [
  defineReaction('project.removed', (ctx, { project }) =>
    ctx.enqueue('uploads.removeFiles', { prefix: packagePrefix(project.id) }),
  ),
  defineReaction('group.removed', async (ctx, { groupId }) => {
    const projects = ctx.db
      .selectFrom('package')
      .innerJoin('project', 'project.id', 'package.projectId')
      .innerJoin('namespaceLineage', 'namespaceLineage.namespaceId', 'project.namespaceId')
      .where('namespaceLineage.ancestorId', '=', groupId)
      .select('project.id')
      .distinct()
    for (const { id } of await projects.execute()) {
      await ctx.enqueue('uploads.removeFiles', { prefix: packagePrefix(id) })
    }
  }),
]
