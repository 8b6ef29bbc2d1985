import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { growthChart } from './growth-chart.ts'
import { performancePage } from './performance-page.ts'
import { reliabilityPage } from './reliability-page.ts'
import { throughputChart } from './throughput-chart.ts'

/** Every generated page and chart, by its path relative to `docs`. All are made from `docs/measurements`. */
export const reports: Readonly<Record<string, () => string>> = {
  'performance.md': performancePage,
  'reliability.md': reliabilityPage,
  'charts/throughput.svg': throughputChart,
  'charts/growth.svg': growthChart,
}

export const writeReports = (): void => {
  for (const [name, report] of Object.entries(reports)) {
    writeFileSync(join(import.meta.dirname, '../../docs', name), report())
  }
}
