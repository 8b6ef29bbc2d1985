import { expressionBuilder } from 'kysely'
import { withGrants } from '../../../access/grants.ts'
import { readableEpics, readableMergeRequests } from '../../../access/predicates.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import type { IssueEpic } from './issue.ts'

/** What surrounds an issue, as the current user sees it. */
export interface RelatedWork {
  readonly epic: IssueEpic | null
  readonly mergeRequestsCount: number
  readonly blockingIssuesCount: number
}

export const noRelatedWork: RelatedWork = { epic: null, mergeRequestsCount: 0, blockingIssuesCount: 0 }

/** Loads the epics of issues, and counts what closes and what waits for them, in one query. */
export async function loadRelatedWork(ctx: Context, ids: readonly number[]): Promise<(id: number) => RelatedWork> {
  if (!ids.length) return () => noRelatedWork
  const viewer = await withGrants(ctx)
  const rows = await ctx.db
    .selectFrom('issue')
    .leftJoin('epicIssue', 'epicIssue.issueId', 'issue.id')
    .leftJoin('epic', 'epic.id', 'epicIssue.epicId')
    .leftJoin('namespace', 'namespace.id', 'epic.groupId')
    .where('issue.id', 'in', ids)
    .select((eb) => [
      'issue.id',
      'epic.id as epicId',
      'epic.iid as epicIid',
      'epic.title as epicTitle',
      'epic.groupId as epicGroupId',
      'namespace.fullPath as epicGroupPath',
      eb.and([readableEpics(viewer)(expressionBuilder())]).as('isEpicReadable'),
      eb
        .selectFrom('mergeRequestClosingIssue as closing')
        .innerJoin('mergeRequest', 'mergeRequest.id', 'closing.mergeRequestId')
        .innerJoin('project', 'project.id', 'mergeRequest.projectId')
        .whereRef('closing.issueId', '=', 'issue.id')
        .where(readableMergeRequests(viewer))
        .select((counted) => counted.fn.countAll<number>().as('count'))
        .as('mergeRequestsCount'),
      eb
        .selectFrom('issueLink')
        .innerJoin('issue as blocked', 'blocked.id', 'issueLink.targetId')
        .whereRef('issueLink.sourceId', '=', 'issue.id')
        .where('issueLink.linkType', '=', 'blocks')
        .where('blocked.state', '=', 'opened')
        .select((counted) => counted.fn.countAll<number>().as('count'))
        .as('blockingIssuesCount'),
    ])
    .execute()
  const byId = new Map(
    rows.map(({ id, epicId, epicIid, epicTitle, epicGroupId, epicGroupPath, isEpicReadable, ...counts }) => {
      const epic =
        ctx.tier === 'free' || !isEpicReadable || epicId === null
          ? null
          : {
              id: epicId,
              iid: defined(epicIid),
              title: defined(epicTitle),
              groupId: defined(epicGroupId),
              groupPath: defined(epicGroupPath),
            }
      const mergeRequestsCount = Number(counts.mergeRequestsCount)
      return [id, { epic, mergeRequestsCount, blockingIssuesCount: Number(counts.blockingIssuesCount) }]
    }),
  )
  return (id) => byId.get(id) ?? noRelatedWork
}
