import { createUserRunner } from '../../../access/user-runner.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { complete, isDeferred } from '../../../kernel/deferred.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { defineReaction } from '../../../kernel/reaction.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { publishDrafts } from './publish.ts'

interface Review {
  readonly projectId: number
  readonly iid: number
}

const publish = async (ctx: Context, { projectId, iid }: Review) => {
  const subject = await loadVisible(ctx, mergeRequest, { project: projectId, mergeRequest: iid })
  assertAbility(ctx.actor, subject, 'draftNote.create')
  return publishDrafts(ctx, subject, undefined, async () => {})
}

/** Publishes the drafts of a user who has written `/submit_review`; those with suggestions after the transaction, which waits for git. */
export const publishOnQuickAction = defineReaction('draftNotes.publicationRequested', async (ctx, review) => {
  if (isDeferred(await publish(ctx, review)))
    await ctx.enqueue('draftNotes.publish', { ...review, userId: getUserId(ctx.actor) })
})

/** Publishes drafts with suggestions for `/submit_review`. */
export const publishDraftsLater = defineJob('draftNotes.publish', {
  async run(tools, { userId, ...review }) {
    const runner = createUserRunner(tools, userId)
    await complete<void>(await runner.write((ctx) => publish(ctx, review)), () => runner)
  },
})
