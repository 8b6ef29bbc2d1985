import { defineReaction } from '../../../kernel/reaction.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { loadIfVisible } from '../../../policy/visible.ts'
import { formatDiscussionId } from '../../planning/issuables/discussion-id.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { getDiscussion, setResolved } from './mutations.ts'

/** Resolves the discussions that a new issue continues, if its author may resolve them. */
export const resolveContinued = defineReaction('issue.opened', async (ctx, { issue, continues }) => {
  if (continues === undefined) return
  const reference = { project: issue.projectId, mergeRequest: continues.mergeRequest }
  const subject = await loadIfVisible(ctx, mergeRequest, reference)
  if (subject === undefined || !hasAbility(ctx.actor, subject, 'discussion.resolve')) return
  for (const id of continues.discussions) {
    const { discussion } = await getDiscussion(ctx, subject, formatDiscussionId(id))
    await setResolved(ctx, discussion.notes, true)
  }
})
