/**
 * Counts the issues of a project, a group or the instance that the current user may read. Features call this file, not the
 * modules behind it.
 *
 * Counting a million rows takes seconds, so database triggers maintain the counts that need no look at single issues:
 * - `issue_count`, opened and closed issues per project: without any filter (`counters.ts`).
 * - `issue_tally`, the same per label, assignee, author and milestone: with exactly one such filter (`counters.ts`).
 *
 * Both count confidential issues apart, so `confidential` needs no row either. Combinations of filters, searches, dates,
 * emoji and `not` have no counters, because every combination would need its own: these issues are counted live
 * (`live-count.ts`), and so are the current user's own confidential issues in projects where the current user cannot read those
 * of others.
 *
 * `projects` and `labels` precede this feature and cannot import it: project records read the open count from `issue_count`,
 * and label counts are live, because a sum of tallies is one number and not one per label.
 *
 * `db/counters/` describes and defines the tables and triggers, and verifies and rebuilds what they maintain.
 */

import type { IssueScope } from '../../../../access/issue-rows.ts'
import type { Context } from '../../../../kernel/context.ts'
import { hasAbility } from '../../../../policy/authorize.ts'
import type { WithMilestoneId } from '../../issuables/filters.ts'
import { hasLink } from '../conditions.ts'
import { buildCriteria, type IssueCriteria } from '../criteria.ts'
import type { IssueFilters } from '../filters.ts'
import { countFromCounters, countFromTallies, type StateCounts } from './counters.ts'
import { countFromRows, type GetLabelMatch, loadLabelMatches } from './live-count.ts'

/** Number of issues that the current user may read, by state. */
export interface IssueCounts {
  /** Number of open and closed issues. */
  all: number
  /** Number of open issues. */
  opened: number
  /** Number of closed issues. */
  closed: number
}

const sumCounts = (rows: readonly StateCounts[]): IssueCounts => {
  const sum = (state: keyof StateCounts) => rows.reduce((total, row) => total + Number(row[state]), 0)
  const [opened, closed] = [sum('opened'), sum('closed')]
  return { all: opened + closed, opened, closed }
}

interface Counted {
  readonly criteria: IssueCriteria
  readonly getLabelMatch: GetLabelMatch
  /** Undefined if counters do not contain them. */
  readonly counts?: IssueCounts
}

/** Counts the issues without a look at single ones, if counters allow it. */
const readCounters = async (
  ctx: Context,
  scope: IssueScope,
  filters: WithMilestoneId<IssueFilters>,
): Promise<Counted> => {
  const criteria = await buildCriteria(ctx, scope, filters)
  const { links, conditions } = criteria
  const { confidential } = filters
  const getLabelMatch = await loadLabelMatches(ctx, scope, links)
  const toResult = (rows: readonly StateCounts[]) => ({ criteria, getLabelMatch, counts: sumCounts(rows) })
  const criteriaCount = links.length + conditions.length - (confidential === undefined ? 0 : 1)
  if (criteriaCount === 0) return toResult(await countFromCounters(ctx, scope, confidential))
  if (links.some(({ name }) => name !== undefined && !getLabelMatch(name))) return toResult([])
  if (criteriaCount === 1) {
    const [link] = links
    const condition = link ? hasLink(ctx, link) : conditions.find(({ tally }) => tally)
    const tally = link ?? condition?.tally
    const hasDuplicates = link?.name !== undefined && getLabelMatch(link.name)?.hasDuplicates
    if (condition && tally && !hasDuplicates)
      return toResult(await countFromTallies(ctx, scope, tally, condition, confidential))
  }
  return { criteria, getLabelMatch }
}

/** Counts the issues of the scope that match the filters and that the current user may read. */
export async function countIssues(ctx: Context, scope: IssueScope, filters: IssueFilters): Promise<IssueCounts> {
  if (scope.kind === 'project' && !hasAbility(ctx.actor, scope, 'issue.list')) return sumCounts([])
  const { criteria, getLabelMatch, counts } = await readCounters(ctx, scope, filters)
  return counts ?? sumCounts(await countFromRows(ctx, scope, criteria, getLabelMatch))
}

/** The same, for the total of a list: undefined if it has to be counted live. */
export const findStoredCounts = async (
  ctx: Context,
  scope: IssueScope,
  filters: WithMilestoneId<IssueFilters>,
): Promise<IssueCounts | undefined> => (await readCounters(ctx, scope, filters)).counts
