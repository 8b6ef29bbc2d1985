import { features, type IssueCounts } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer } from '../reply/field-types.ts'
import { one } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

const { issueStatistics } = features

const Statistics = v.object({
  /** Numbers of issues by state. */
  counts: v.object({
    /** Open and closed issues. */
    all: Integer,
    /** Closed issues. */
    closed: Integer,
    /** Open issues. */
    opened: Integer,
  }),
})

/** Specification 1, "Issue statistics". */
const StatisticsWire = wire<IssueCounts>('IssueStatistics')({
  /** Statistics of the issues that match the filters. */
  statistics: computed(Statistics, ({ all, closed, opened }: IssueCounts) => ({ counts: { all, closed, opened } })),
})

export const issueStatisticsRoutes = [
  route('GET /issues_statistics', issueStatistics.get, one(StatisticsWire), { hidden: ['project', 'group'] }),
  route('GET /groups/:id/issues_statistics', issueStatistics.get, one(StatisticsWire)),
  route('GET /projects/:id/issues_statistics', issueStatistics.get, one(StatisticsWire)),
]
