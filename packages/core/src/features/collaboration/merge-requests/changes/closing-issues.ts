import type { CompleteRow } from '../../../../db/complete-row.ts'
import type { Context } from '../../../../kernel/context.ts'
import { defineReaction } from '../../../../kernel/reaction.ts'
import type { MergeRequest } from '../merge-request.ts'
import { findIssuesClosedBy, selectReferencedIssue } from './closed-issues.ts'

/** Each issue once: a text can name it with and without the path of its project. */
const findIssueIds = async (ctx: Context, mergeRequest: MergeRequest): Promise<number[]> => {
  const ids = new Set<number>()
  for (const reference of findIssuesClosedBy(mergeRequest, [])) {
    const row = await selectReferencedIssue(ctx, mergeRequest.projectPath, reference)
      .select('issue.id')
      .executeTakeFirst()
    if (row) ids.add(row.id)
  }
  return [...ids]
}

const storeIssues = async (ctx: Context, mergeRequest: MergeRequest) => {
  const mergeRequestId = mergeRequest.id
  await ctx.db.deleteFrom('mergeRequestClosingIssue').where('mergeRequestId', '=', mergeRequestId).execute()
  const ids = await findIssueIds(ctx, mergeRequest)
  if (!ids.length) return
  await ctx.db
    .insertInto('mergeRequestClosingIssue')
    .values(ids.map((issueId) => ({ mergeRequestId, issueId }) satisfies CompleteRow<'mergeRequestClosingIssue'>))
    .execute()
}

/** Stores which issues the title and the description of a merge request close, for the counts of issues. */
export const closingIssueReactions = [
  defineReaction('mergeRequest.opened', (ctx, { mergeRequest }) => storeIssues(ctx, mergeRequest)),
  defineReaction('mergeRequest.updated', async (ctx, { before, after }) => {
    if (before.title === after.title && before.description === after.description) return
    await storeIssues(ctx, after)
  }),
]
