import type { Table } from '../bench/table.ts'
import { drawBarChart } from './bar-chart.ts'
import { readMeasurement } from './measurement.ts'

/** The maximum growth that `pnpm bench growth` accepts. */
const limit = 3

/** How many times longer each call takes with 100 times the data. */
export const growthChart = (): string => {
  const tables = readMeasurement<readonly Table[]>('bench/growth')?.result ?? []
  const measured = tables.filter(({ lines }) => lines.some(({ target }) => target !== undefined))
  const groups = (measured[0]?.lines ?? []).map(({ what }, at) => ({
    label: what,
    bars: measured.map(({ lines }) => {
      const value = lines[at]?.value ?? 0
      return { value, text: `${value.toFixed(2)}×` }
    }),
  }))
  const sentences = groups.map(({ label, bars }) => `${label}: ${bars.map(({ text }) => text).join(', ')}.`)
  return drawBarChart({
    title: 'Time of a call with 100,000 rows per table, relative to 1,000 rows',
    description: `SQLite and PostgreSQL. ${sentences.join(' ')}`,
    series: ['SQLite', 'PostgreSQL'],
    groups,
    limit: { value: limit, text: `target: at most ${limit}×` },
  })
}
