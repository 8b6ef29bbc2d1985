import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixturesDiagram } from './fixtures-diagram.ts'
import { growthChart } from './growth-chart.ts'
import { performancePage } from './performance-page.ts'
import { reliabilityPage } from './reliability-page.ts'
import { requestPathDiagram } from './request-path-diagram.ts'
import { throughputChart } from './throughput-chart.ts'

/** Every generated page and image, by its path relative to `docs`. Pages and charts are made from `docs/measurements`. */
export const reports: Readonly<Record<string, () => string>> = {
  'performance.md': performancePage,
  'reliability.md': reliabilityPage,
  'charts/throughput.svg': throughputChart,
  'charts/growth.svg': growthChart,
  'diagrams/fixtures.svg': fixturesDiagram,
  'diagrams/request-path.svg': requestPathDiagram,
}

export const writeReports = (): void => {
  for (const [name, report] of Object.entries(reports)) {
    writeFileSync(join(import.meta.dirname, '../../docs', name), report())
  }
}
