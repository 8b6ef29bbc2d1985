import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { syncProjectTopics } from './project-topics.ts'

/** Connect projects with the topics that they list. */
export const topicReactions: readonly Reaction[] = [
  defineReaction('project.created', (ctx, { project }) => syncProjectTopics(ctx, project.id)),
  defineReaction('project.updated', (ctx, { after }) => syncProjectTopics(ctx, after.id)),
]
