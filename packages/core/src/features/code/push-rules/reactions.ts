import { defineReaction } from '../../../kernel/reaction.ts'
import { findInheritedRule, insertRule } from './queries.ts'
import { changeRule, defaultRule } from './rule-input.ts'

/** New projects start with the push rule of the nearest group that has one. */
export const copyGroupRule = defineReaction('project.created', async (ctx, { project }) => {
  const rule = await findInheritedRule(ctx, project.namespaceId)
  if (rule) await insertRule(ctx, { projectId: project.id, groupId: null }, changeRule(defaultRule, rule))
})
