import { defineReaction, type Reaction } from '../../../kernel/reaction.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { epic } from '../../planning/epics/subject.ts'
import { issue } from '../../planning/issues/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { executeQuickActions } from './execute.ts'

/** Executes the quick actions of descriptions, which other features store. */
export const quickActionReactions: readonly Reaction[] = [
  defineReaction('quickActions.requested', async (ctx, { kind, projectId, groupId, iid, actions }) => {
    const project = projectId ?? 0
    const target =
      kind === 'epic'
        ? await loadVisible(ctx, epic, { group: groupId ?? 0, epic: iid })
        : kind === 'issue'
          ? await loadVisible(ctx, issue, { project, issue: iid })
          : await loadVisible(ctx, mergeRequest, { project, mergeRequest: iid })
    await executeQuickActions(ctx, target, actions)
  }),
]
