import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { userIdOf } from '../issuables/author.ts'
import { issue } from '../issues/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import type { GivenAward } from './award.ts'
import { type Awardable, awardsOf, toAward } from './queries.ts'

const input = {
  /** An emoji name without colons: `thumbsup`. */
  name: v.pipe(v.string(), v.regex(/^[a-z0-9_+-]{1,100}$/)),
  /** Only for the host application: who gives it. */
  user: v.optional(v.union([v.number(), v.string()])),
}

const give = async (
  ctx: Context,
  target: Awardable,
  { name, user }: { name: string; user?: number | string | undefined },
): Promise<GivenAward> => {
  const userId = await userIdOf(ctx, user)
  const [given] = await ctx.db
    .insertInto('awardEmoji')
    .values({ ...target, userId, name, createdAt: ctx.now })
    .onConflict((key) => key.doNothing())
    .returning('id')
    .execute()
  if (given) await ctx.emit('emoji.given', { ...target, userId, name })
  const row = await awardsOf(ctx, target)
    .where('awardEmoji.userId', '=', userId)
    .where('awardEmoji.name', '=', name)
    .executeTakeFirstOrThrow()
  return { ...toAward(row), changed: given !== undefined }
}

export const awardEmoji = {
  /** The emoji that an issue was given, oldest first. */
  listOnIssue: query({
    on: issue,
    can: 'issue.read',
    input: paging,
    run: (ctx, at, { issue }) => paginate(awardsOf(ctx, { issueId: issue.id, mergeRequestId: null }), at, toAward),
  }),

  /** The emoji that a merge request was given, oldest first. */
  listOnMergeRequest: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: paging,
    run: (ctx, at, { mergeRequest }) =>
      paginate(awardsOf(ctx, { issueId: null, mergeRequestId: mergeRequest.id }), at, toAward),
  }),

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
