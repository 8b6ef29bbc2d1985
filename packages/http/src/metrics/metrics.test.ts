import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatform, sqlite } from '@forgelet/core'
import parse from 'parse-prometheus-text-format'
import { afterAll, expect, it } from 'vitest'
import { aggregatedText, sumTotals } from './aggregate.ts'
import { createMetrics, type MetricsOptions } from './metrics.ts'

const platform = createPlatform(sqlite(':memory:'))
afterAll(() => platform.close())

const labels = { method: 'GET', route: '/api/v4/version' }

const metricsAfter = (durations: readonly number[], options: Partial<MetricsOptions> = {}) => {
  const metrics = createMetrics(platform, { version: '1.2.3', ...options })
  metrics.stop()
  for (const seconds of durations) {
    metrics.started()
    metrics.finished({ ...labels, status: 200, seconds })
  }
  return metrics
}

const familiesIn = (text: string) => new Map(parse(text).map(({ name, metrics }) => [name, metrics]))

it('counts durations cumulatively per bucket', async () => {
  const text = await metricsAfter([0.001, 0.005, 0.02, 30]).text()
  const [histogram] = familiesIn(text).get('forgelet_http_request_duration_seconds') ?? []
  expect(Object.keys(histogram?.buckets ?? {})).toHaveLength(12)
  expect(histogram?.buckets).toMatchObject({ '0.005': '2', '0.01': '2', '10': '3', '+Inf': '4' })
  const suffixed = (suffix: string) => text.split('\n').find((line) => line.includes(`duration_seconds_${suffix}`))
  expect(suffixed('count')).toMatch(/_count\{method="GET",route="\/api\/v4\/version"\} 4$/)
  expect(Number(suffixed('sum')?.split(' ')[1])).toBeCloseTo(30.026)
})

it('sums the totals of several workers and of exited ones, and keeps their gauges apart', async () => {
  const one = await metricsAfter([0.001, 2], { worker: '1' }).snapshot()
  const two = await metricsAfter([0.001], { worker: '2' }).snapshot()
  const exited = await metricsAfter([0.001, 0.001, 0.001], { worker: '1' }).snapshot()
  // Snapshots arrive from other processes as JSON.
  const received = JSON.parse(JSON.stringify({ snapshots: [one, two], exited: await sumTotals([], exited.totals) }))
  const text = await aggregatedText(received.snapshots, received.exited, { workers: 2, restarts: 1 })
  const families = familiesIn(text)
  expect(families.get('forgelet_http_requests_total')).toEqual([{ labels: { ...labels, status: '2xx' }, value: '6' }])
  expect(families.get('forgelet_http_request_duration_seconds')).toMatchObject([
    { buckets: { '0.005': '5', '+Inf': '6' } },
  ])
  expect(families.get('forgelet_http_requests_in_flight')).toEqual([
    { labels: { worker: '1' }, value: '0' },
    { labels: { worker: '2' }, value: '0' },
  ])
  expect(families.get('forgelet_workers')).toEqual([{ value: '2' }])
  expect(families.get('forgelet_worker_restarts_total')).toEqual([{ value: '1' }])
})

it('contains the free space and the sizes of a data file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forgelet-metrics-'))
  const stored = createPlatform(sqlite(join(folder, 'forge.db')))
  await stored.as({ system: 'test' }).users.create({ username: 'ada' })
  const metrics = createMetrics(stored, { version: '1.2.3' })
  const families = familiesIn(await metrics.text())
  metrics.stop()
  const bytesOf = (name: string) => Number(families.get(name)?.[0]?.value)
  expect(bytesOf('forgelet_database_bytes')).toBeGreaterThanOrEqual(4_096)
  expect(bytesOf('forgelet_database_log_bytes')).toBeGreaterThanOrEqual(0)
  expect(bytesOf('forgelet_database_free_bytes')).toBeGreaterThan(0)
  expect(bytesOf('forgelet_uploads_bytes')).toBe(0)
  expect(families.has('forgelet_repositories_free_bytes')).toBe(false)
  await stored.close()
  rmSync(folder, { recursive: true })
})

it('has a bounded number of label values, and counts every request before and after the library is loaded', async () => {
  const metrics = metricsAfter([])
  for (let each = 0; each < 1_500; each++) {
    metrics.started()
    metrics.finished({ method: `M${each}`, route: undefined, status: 404, seconds: 0.001 })
  }
  const expected = (value: string) => [{ labels: { method: 'other', route: 'none', status: '4xx' }, value }]
  expect(familiesIn(await metrics.text()).get('forgelet_http_requests_total')).toEqual(expected('1500'))
  metrics.started()
  metrics.finished({ method: 'M', route: undefined, status: 404, seconds: 0.001 })
  expect(familiesIn(await metrics.text()).get('forgelet_http_requests_total')).toEqual(expected('1501'))
})
