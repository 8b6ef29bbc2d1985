import * as v from 'valibot'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { issue } from '../issues/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { settingsInForce } from '../settings/queries.ts'
import { give } from './giving.ts'
import { awardsOf, toAward } from './queries.ts'

const input = {
  /** An emoji name without colons: `thumbsup`. */
  name: v.pipe(v.string(), v.regex(/^[a-z0-9_+-]{1,100}$/)),
  /** Only for the host application: who gives it. */
  user: v.optional(v.union([v.number(), v.string()])),
}

export const awardEmoji = {
  /** The emoji that an issue was given, oldest first. */
  listOnIssue: query({
    on: issue,
    can: 'issue.read',
    input: paging,
    run: async (ctx, at, { issue }) =>
      paginate(awardsOf(ctx, { issueId: issue.id, mergeRequestId: null }), at, toAward(await settingsInForce(ctx))),
  }),

  /** The emoji that a merge request was given, oldest first. */
  listOnMergeRequest: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: paging,
    run: async (ctx, at, { mergeRequest }) =>
      paginate(
        awardsOf(ctx, { issueId: null, mergeRequestId: mergeRequest.id }),
        at,
        toAward(await settingsInForce(ctx)),
      ),
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
