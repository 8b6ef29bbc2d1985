import { expect, it } from 'vitest'
import { exposition, type Family, merged } from './exposition.ts'
import { requestFigures } from './request-figures.ts'

const lines = (families: readonly Family[], name: string) =>
  exposition(families)
    .split('\n')
    .filter((line) => line.startsWith(name))

it('escapes what stands in names and values', () => {
  const odd: Family = {
    name: 'odd',
    help: 'A backslash \\ and\na second line.',
    type: 'gauge',
    samples: [
      { labels: { path: 'C:\\a "quoted"\nline' }, value: 1.5 },
      { labels: {}, value: Number.POSITIVE_INFINITY },
    ],
  }
  expect(exposition([odd])).toBe(
    '# HELP odd A backslash \\\\ and\\na second line.\n# TYPE odd gauge\nodd{path="C:\\\\a \\"quoted\\"\\nline"} 1.5\nodd +Inf\n',
  )
})

const figures = (seconds: readonly number[]) => {
  const counted = requestFigures()
  for (const each of seconds) {
    counted.started()
    counted.finished({ method: 'GET', route: '/api/v4/version', status: 200, seconds: each })
  }
  return counted.families()
}

const labels = 'method="GET",route="/api/v4/version"'

it('counts durations up to each bound, and all of them', () => {
  const name = 'forgelet_http_request_duration_seconds'
  const found = lines(figures([0.001, 0.005, 0.02, 30]), name)
  expect(found).toHaveLength(14)
  expect(found).toContain(`${name}_bucket{${labels},le="0.005"} 2`)
  expect(found).toContain(`${name}_bucket{${labels},le="0.01"} 2`)
  expect(found).toContain(`${name}_bucket{${labels},le="10"} 3`)
  expect(found).toContain(`${name}_bucket{${labels},le="+Inf"} 4`)
  expect(found).toContain(`${name}_count{${labels}} 4`)
  expect(Number(found.find((line) => line.includes('_sum'))?.split(' ')[1])).toBeCloseTo(30.026)
})

it('adds several processes up, and keeps their gauges apart', () => {
  const all = merged(
    new Map([
      ['1', figures([0.001, 2])],
      ['2', figures([0.001])],
    ]),
  )
  expect(lines(all, 'forgelet_http_requests_total')).toEqual([`forgelet_http_requests_total{${labels},status="2xx"} 3`])
  expect(lines(all, 'forgelet_http_request_duration_seconds_count')).toEqual([
    `forgelet_http_request_duration_seconds_count{${labels}} 3`,
  ])
  expect(lines(all, 'forgelet_http_requests_in_flight')).toEqual([
    'forgelet_http_requests_in_flight{worker="1"} 0',
    'forgelet_http_requests_in_flight{worker="2"} 0',
  ])
})

it('has a bounded number of labels, whatever clients send', () => {
  const counted = requestFigures()
  for (let each = 0; each < 1_000; each++) {
    counted.started()
    counted.finished({ method: `M${each}`, route: undefined, status: 404, seconds: 0.001 })
  }
  const [requests] = counted.families()
  expect(requests?.samples).toEqual([{ labels: { method: 'other', route: 'none', status: '4xx' }, value: 1_000 }])
})
