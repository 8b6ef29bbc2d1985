import * as v from 'valibot'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { issue } from '../issues/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { getSettings } from '../settings/queries.ts'
import { addAward } from './mutations.ts'
import { selectAwards, toAward } from './queries.ts'

const awardInput = {
  /** Emoji name without colons, such as `thumbsup`: 1 to 100 characters of `a-z`, `0-9`, `_`, `+` and `-`. */
  name: v.pipe(v.string(), v.regex(/^[a-z0-9_+-]{1,100}$/)),
  /** Id or username of the user who gives the emoji: required for calls of the host, `forbidden` for users. */
  user: v.optional(v.union([v.number(), v.string()])),
}

export const awardEmoji = {
  /** Lists the emoji of an issue, oldest first. */
  listOnIssue: query({
    on: issue,
    can: 'issue.read',
    input: pagingEntries,
    run: async (ctx, paging, { issue }) =>
      paginate(selectAwards(ctx, { issueId: issue.id, mergeRequestId: null }), paging, toAward(await getSettings(ctx))),
  }),

  /** Lists the emoji of a merge request, oldest first. */
  listOnMergeRequest: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: pagingEntries,
    run: async (ctx, paging, { mergeRequest }) =>
      paginate(
        selectAwards(ctx, { issueId: null, mergeRequestId: mergeRequest.id }),
        paging,
        toAward(await getSettings(ctx)),
      ),
  }),

  /** Adds an emoji to an issue. Giving the same emoji again changes nothing. */
  giveToIssue: command({
    on: issue,
    can: 'emoji.award',
    serializes: 'project',
    input: awardInput,
    run: (ctx, input, { issue }) => addAward(ctx, { issueId: issue.id, mergeRequestId: null }, input),
  }),

  /** Adds an emoji to a merge request. Giving the same emoji again changes nothing. */
  giveToMergeRequest: command({
    on: mergeRequest,
    can: 'emoji.award',
    serializes: 'project',
    input: awardInput,
    run: (ctx, input, { mergeRequest }) => addAward(ctx, { issueId: null, mergeRequestId: mergeRequest.id }, input),
  }),
}
