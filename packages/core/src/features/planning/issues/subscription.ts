import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { isSubscribed } from '../issuables/participants.ts'
import type { Issue, IssueDetails } from './issue.ts'

/** Adds whether the current user is subscribed to an issue. */
export const withSubscription = async (ctx: Context, issue: Issue): Promise<IssueDetails> => ({
  ...issue,
  subscribed: await isSubscribed(ctx, { kind: 'issue', ...issue }, getUserId(ctx.actor)),
})
