import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { removeGroupArchives, removeProjectArchives } from './storage.ts'

/** Remove the archives of removed projects and groups. */
export const archiveReactions: readonly Reaction[] = [
  defineReaction('project.removed', (ctx, { project }) => removeProjectArchives(ctx, project.id)),
  defineReaction('group.removed', (ctx, { groupId }) => removeGroupArchives(ctx, groupId)),
]
