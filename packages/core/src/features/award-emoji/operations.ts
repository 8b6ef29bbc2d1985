import * as v from 'valibot'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { issue } from '../issues/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { getSettings } from '../settings/queries.ts'
import { addAward } from './mutations.ts'
import { selectAwards, toAward } from './queries.ts'

const awardInput = {
  /** An emoji name without colons: `thumbsup`. */
  name: v.pipe(v.string(), v.regex(/^[a-z0-9_+-]{1,100}$/)),
  /** The user who gives the emoji; only for the host application. */
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

  /** Adds an emoji to an issue. `changed` is false if the user had already given it. */
  giveToIssue: command({
    on: issue,
    can: 'emoji.award',
    serializes: 'project',
    input: awardInput,
    run: (ctx, input, { issue }) => addAward(ctx, { issueId: issue.id, mergeRequestId: null }, input),
  }),

  /** Adds an emoji to a merge request. `changed` is false if the user had already given it. */
  giveToMergeRequest: command({
    on: mergeRequest,
    can: 'emoji.award',
    serializes: 'project',
    input: awardInput,
    run: (ctx, input, { mergeRequest }) => addAward(ctx, { issueId: null, mergeRequestId: mergeRequest.id }, input),
  }),
}
