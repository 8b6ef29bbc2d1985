import { withGrants } from '../../../access/grants.ts'
import { readableIssues, readableMergeRequests } from '../../../access/predicates.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { type Label, type LabelCounts, zeroCounts } from './label.ts'

/** Adds the number of issues and merge requests with each label; only those that the current user may read count. */
export async function addCounts<L extends Label>(ctx: Context, labels: readonly L[]): Promise<(L & LabelCounts)[]> {
  if (!labels.length) return []
  const ids = labels.map(({ id }) => id)
  const accessCtx = await withGrants(ctx)
  const countIssues = ctx.db
    .selectFrom('issueLabel')
    .innerJoin('issue', 'issue.id', 'issueLabel.issueId')
    .innerJoin('project', 'project.id', 'issue.projectId')
    .where('issueLabel.labelId', 'in', ids)
    .where(readableIssues(accessCtx))
    .groupBy(['issueLabel.labelId', 'issue.state'])
    .select((eb) => ['issueLabel.labelId', 'issue.state', eb.fn.countAll<number>().as('count')])
    .execute()
  const countMergeRequests = ctx.db
    .selectFrom('mergeRequestLabel')
    .innerJoin('mergeRequest', 'mergeRequest.id', 'mergeRequestLabel.mergeRequestId')
    .innerJoin('project', 'project.id', 'mergeRequest.projectId')
    .where('mergeRequestLabel.labelId', 'in', ids)
    .where('mergeRequest.state', '=', 'opened')
    .where(readableMergeRequests(accessCtx))
    .groupBy('mergeRequestLabel.labelId')
    .select((eb) => ['mergeRequestLabel.labelId', eb.fn.countAll<number>().as('count')])
    .execute()
  const [issues, mergeRequests] = await awaitAll([countIssues, countMergeRequests])
  const counts = new Map(ids.map((id) => [id, { ...zeroCounts }]))
  const countsOf = (id: number) => defined(counts.get(id))
  for (const { labelId, state, count } of issues) {
    countsOf(labelId)[state === 'opened' ? 'openIssuesCount' : 'closedIssuesCount'] = Number(count)
  }
  for (const { labelId, count } of mergeRequests) countsOf(labelId).openMergeRequestsCount = Number(count)
  return labels.map((label) => ({ ...label, ...countsOf(label.id) }))
}
