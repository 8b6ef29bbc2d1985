import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { command } from '../../kernel/operation.ts'
import { userIdOf } from '../issuables/author.ts'
import { issue } from '../issues/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'

const input = {
  /** An emoji name without colons: `thumbsup`. */
  name: v.pipe(v.string(), v.regex(/^[a-z0-9_+-]{1,100}$/)),
  /** Only for the host application: who gives it. */
  user: v.optional(v.union([v.number(), v.string()])),
}

type Target = { readonly issueId: number; readonly mergeRequestId: null } | { readonly issueId: null; readonly mergeRequestId: number }

const give = async (ctx: Context, target: Target, { name, user }: { name: string; user?: number | string | undefined }) => {
  const userId = await userIdOf(ctx, user)
  const [given] = await ctx.db
    .insertInto('awardEmoji')
    .values({ ...target, userId, name, createdAt: ctx.now })
    .onConflict((key) => key.doNothing())
    .returning('id')
    .execute()
  return { changed: given !== undefined, name, userId }
}

export const awardEmoji = {
  /** Gives an issue an emoji. `changed` is false when the caller had given it already. */
  giveToIssue: command({
    on: issue,
    can: 'emoji.award',
    input,
    run: (ctx, given, { issue }) => give(ctx, { issueId: issue.id, mergeRequestId: null }, given),
  }),

  /** Gives a merge request an emoji. `changed` is false when the caller had given it already. */
  giveToMergeRequest: command({
    on: mergeRequest,
    can: 'emoji.award',
    input,
    run: (ctx, given, { mergeRequest }) => give(ctx, { issueId: null, mergeRequestId: mergeRequest.id }, given),
  }),
}
