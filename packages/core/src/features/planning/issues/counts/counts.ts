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
 * `db/issue-counts/` describes and defines the tables and triggers, and verifies and rebuilds what they maintain.
 */

import type { IssueScope } from '../../../../access/issue-rows.ts'
import type { Context } from '../../../../kernel/context.ts'
import { hasAbility } from '../../../../policy/authorize.ts'
import { hasLink } from '../conditions.ts'
import { buildCriteria } from '../criteria.ts'
import type { IssueFilters } from '../filters.ts'
import { countFromCounters, countFromTallies, type StateCounts } from './counters.ts'
import { countFromRows, loadLabelMatches } from './live-count.ts'

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

/** Counts the issues of the scope that match the filters and that the current user may read. */
export async function countIssues(ctx: Context, scope: IssueScope, filters: IssueFilters): Promise<IssueCounts> {
  if (scope.kind === 'project' && !hasAbility(ctx.actor, scope, 'issue.list')) return sumCounts([])
  const criteria = await buildCriteria(ctx, scope, filters)
  const { links, conditions } = criteria
  const { confidential } = filters
  const criteriaCount = links.length + conditions.length - (confidential === undefined ? 0 : 1)
  if (criteriaCount === 0) return sumCounts(await countFromCounters(ctx, scope, confidential))
  const getLabelMatch = await loadLabelMatches(ctx, scope, links)
  if (links.some(({ name }) => name !== undefined && !getLabelMatch(name))) return sumCounts([])
  if (criteriaCount === 1) {
    const [link] = links
    const condition = link ? hasLink(ctx, link) : conditions.find(({ tally }) => tally)
    const tally = link ?? condition?.tally
    const hasDuplicates = link?.name !== undefined && getLabelMatch(link.name)?.hasDuplicates
    if (condition && tally && !hasDuplicates)
      return sumCounts(await countFromTallies(ctx, scope, tally, condition, confidential))
  }
  return sumCounts(await countFromRows(ctx, scope, criteria, getLabelMatch))
}
