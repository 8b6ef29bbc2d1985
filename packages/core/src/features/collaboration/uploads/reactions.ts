import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { uploadPrefix } from './upload-file.ts'

/** Remove the files of removed projects. */
export const uploadReactions: readonly Reaction[] = [
  defineReaction('project.removed', (ctx, { project }) =>
    ctx.enqueue('uploads.removeFiles', { prefix: uploadPrefix(project.id) }),
  ),
  defineReaction('group.removed', async (ctx, { groupId }) => {
    const projects = ctx.db
      .selectFrom('project')
      .innerJoin('namespaceLineage', 'namespaceLineage.namespaceId', 'project.namespaceId')
      .where('namespaceLineage.ancestorId', '=', groupId)
      .where((eb) =>
        eb.or(
          (['upload', 'pipelineJob', 'secureFile'] as const).map((table) =>
            eb.exists(eb.selectFrom(table).whereRef(`${table}.projectId`, '=', 'project.id').select(`${table}.id`)),
          ),
        ),
      )
      .select('project.id')
    for (const { id } of await projects.execute()) {
      await ctx.enqueue('uploads.removeFiles', { prefix: uploadPrefix(id) })
    }
  }),
]
