import { features, type IssueCounts } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer } from '../reply/field-types.ts'
import { one } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

const { issueStatistics } = features

const counts = v.object({ counts: v.object({ all: Integer, closed: Integer, opened: Integer }) })

/** Specification 1, "Issue statistics". */
const StatisticsWire = wire<IssueCounts>('IssueStatistics')({
  statistics: computed(counts, ({ all, closed, opened }: IssueCounts) => ({ counts: { all, closed, opened } })),
})

export const issueStatisticsRoutes = [
  route('GET /issues_statistics', issueStatistics.overall, one(StatisticsWire)),
  route('GET /groups/:id/issues_statistics', issueStatistics.ofGroup, one(StatisticsWire)),
  route('GET /projects/:id/issues_statistics', issueStatistics.ofProject, one(StatisticsWire)),
]
