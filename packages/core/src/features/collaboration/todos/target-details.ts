import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { completeEpicDetails } from '../../planning/epics/details.ts'
import type { EpicDetails } from '../../planning/epics/epic.ts'
import { epicColumns } from '../../planning/epics/queries.ts'
import { withSubscribed } from '../../planning/issuables/participants.ts'
import type { IssueDetails } from '../../planning/issues/issue.ts'
import { completeIssues, issueColumns } from '../../planning/issues/queries.ts'
import { completeMergeRequests, mergeRequestColumns } from '../merge-requests/queries.ts'
import type { MergeRequestTarget } from './todo.ts'

type Targets<T> = Promise<ReadonlyMap<number, T>>

const byId = <T extends { readonly id: number }>(targets: readonly T[]): ReadonlyMap<number, T> =>
  new Map(targets.map((target) => [target.id, target]))

export const distinctIds = (ids: readonly (number | null)[]): number[] => [...new Set(ids.filter((id) => id !== null))]

export async function readIssueTargets(ctx: Context, issueIds: readonly (number | null)[]): Targets<IssueDetails> {
  const ids = distinctIds(issueIds)
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('issue').where('id', 'in', ids).select(issueColumns).execute()
  return byId(await withSubscribed(ctx, 'issue', await completeIssues(ctx, rows), getUserId(ctx.actor)))
}

export async function readMergeRequestTargets(
  ctx: Context,
  mergeRequestIds: readonly (number | null)[],
): Targets<MergeRequestTarget> {
  const ids = distinctIds(mergeRequestIds)
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('mergeRequest').where('id', 'in', ids).select(mergeRequestColumns).execute()
  return byId(await withSubscribed(ctx, 'mergeRequest', await completeMergeRequests(ctx, rows), getUserId(ctx.actor)))
}

export async function readEpicTargets(ctx: Context, epicIds: readonly (number | null)[]): Targets<EpicDetails> {
  const ids = distinctIds(epicIds)
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('epic').where('id', 'in', ids).select(epicColumns).execute()
  return byId(await completeEpicDetails(ctx, rows))
}
