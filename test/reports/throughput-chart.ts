import { formatValue, type Line, type Table } from '../bench/table.ts'
import { drawBarChart } from './bar-chart.ts'
import { readMeasurement } from './measurement.ts'

const names = ['GET a page of labels', 'POST a label'] as const

const barOf = ({ values }: Line) => {
  const [rate, , , p99] = values.map(Number) as [number, number, number, number]
  return { value: rate, text: `${formatValue(rate)}/s, p99 ${formatValue(p99)} ms` }
}

/** Requests per second and p99 of the server, next to those of the hand-written server. */
export const throughputChart = (): string => {
  const tables = readMeasurement<readonly Table[]>('bench/http')?.result ?? []
  const groups = tables.map(({ lines }, at) => ({ label: names[at] ?? '', bars: lines.slice(0, 2).map(barOf) }))
  const sentences = groups.map(({ label, bars }) => `${label}: by hand ${bars[0]?.text}; Forgelet ${bars[1]?.text}.`)
  return drawBarChart({
    title: 'Requests per second of one process on SQLite, 16 connections',
    description: sentences.join(' '),
    series: ['server written by hand', 'Forgelet'],
    groups,
  })
}
