import { features, type IssueCounts } from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { one } from '../send.ts'
import { computed, wire } from '../wire.ts'

const { issueStatistics } = features

const counts = v.object({ counts: v.object({ all: v.number(), closed: v.number(), opened: v.number() }) })

/** Specification 1, "Issue statistics". */
const StatisticsWire = wire<IssueCounts>()({
  statistics: computed(counts, ({ all, closed, opened }: IssueCounts) => ({ counts: { all, closed, opened } })),
})

export const issueStatisticsRoutes = [
  route('GET /issues_statistics', issueStatistics.overall, one(StatisticsWire)),
  route('GET /groups/:id/issues_statistics', issueStatistics.ofGroup, one(StatisticsWire)),
  route('GET /projects/:id/issues_statistics', issueStatistics.ofProject, one(StatisticsWire)),
]
