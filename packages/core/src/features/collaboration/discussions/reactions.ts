import { defineReaction } from '../../../kernel/reaction.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { loadIfVisible } from '../../../policy/visible.ts'
import { formatDiscussionId } from '../../planning/issuables/discussion-id.ts'
import { selectOpenFrom } from '../merge-requests/queries.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { getDiscussion, setResolved } from './mutations.ts'

/** A push to a source branch can move or change the lines of discussions. */
export const traceAfterPush = defineReaction('code.pushed', async (ctx, { projectId, userId, push }) => {
  if (push.refType !== 'branch' || push.ref === null) return
  const open = await selectOpenFrom(ctx, projectId, push.ref)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('discussionNote')
          .innerJoin('note', 'note.id', 'discussionNote.noteId')
          .whereRef('note.mergeRequestId', '=', 'mergeRequest.id')
          .where('discussionNote.position', 'is not', null)
          .select('note.id'),
      ),
    )
    .select(['projectId', 'iid'])
    .execute()
  for (const { projectId: id, iid } of open)
    await ctx.enqueue('discussions.trace', { projectId: id, iid, userId }, { key: `${id}!${iid}` })
})

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
