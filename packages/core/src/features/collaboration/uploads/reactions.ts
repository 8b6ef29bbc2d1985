import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { groupUploadPrefix, uploadPrefix } from './upload-file.ts'

/** Remove the files of removed projects and groups. */
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
    const groups = ctx.db
      .selectFrom('upload')
      .innerJoin('namespaceLineage', 'namespaceLineage.namespaceId', 'upload.groupId')
      .where('namespaceLineage.ancestorId', '=', groupId)
      .select('namespaceLineage.namespaceId as id')
      .distinct()
    const prefixes = [
      ...(await projects.execute()).map(({ id }) => uploadPrefix(id)),
      ...(await groups.execute()).map(({ id }) => groupUploadPrefix(id)),
    ]
    for (const prefix of prefixes) await ctx.enqueue('uploads.removeFiles', { prefix })
  }),
]
