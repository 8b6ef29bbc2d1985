import { type Family, type Sample, single } from './exposition.ts'

/** What is counted of one answered request. */
export interface AnsweredRequest {
  readonly method: string
  /** The template of the route, so that the number of labels stays that of the routes; absent where none matched. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}

/** Upper bounds of the histogram, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

interface Durations {
  readonly labels: Readonly<Record<string, string>>
  /** How many were at most as long as each bound, not added up yet. */
  readonly counts: number[]
  sum: number
  total: number
}

const durationSamples = ({ labels, counts, sum, total }: Durations): readonly Sample[] => {
  let upTo = 0
  const buckets = bounds.map((bound, at) => {
    upTo += counts[at] ?? 0
    return { labels: { ...labels, le: String(bound) }, value: upTo, suffix: '_bucket' }
  })
  return [
    ...buckets,
    { labels: { ...labels, le: '+Inf' }, value: total, suffix: '_bucket' },
    { labels, value: sum, suffix: '_sum' },
    { labels, value: total, suffix: '_count' },
  ]
}

const made = <T>(known: Map<string, T>, key: string, make: () => T): T => {
  const found = known.get(key)
  if (found !== undefined) return found
  const value = make()
  known.set(key, value)
  return value
}

/** Counts requests of one process since its start. */
export const requestFigures = () => {
  const requests = new Map<string, { labels: Readonly<Record<string, string>>; value: number }>()
  const durations = new Map<string, Durations>()
  let inFlight = 0

  return {
    started(): void {
      inFlight += 1
    },
    finished({ method: written, route: template, status, seconds }: AnsweredRequest): void {
      inFlight -= 1
      const method = knownMethods.has(written) ? written : 'other'
      const route = template ?? 'none'
      const address = `${method} ${route}`
      const kind = `${Math.floor(status / 100)}xx`
      // What is new is made once; what every request passes only counts.
      const entry = made(requests, `${address} ${kind}`, () => ({ labels: { method, route, status: kind }, value: 0 }))
      entry.value += 1
      const timed = made(durations, address, () => ({ labels: { method, route }, counts: [], sum: 0, total: 0 }))
      const at = bounds.findIndex((bound) => seconds <= bound)
      if (at >= 0) timed.counts[at] = (timed.counts[at] ?? 0) + 1
      timed.sum += seconds
      timed.total += 1
    },
    families: (): readonly Family[] => [
      {
        name: 'forgelet_http_requests_total',
        help: 'Requests answered, by route, method and class of status.',
        type: 'counter',
        samples: [...requests.values()],
      },
      {
        name: 'forgelet_http_request_duration_seconds',
        help: 'How long answers took, until their last byte was handed over.',
        type: 'histogram',
        samples: [...durations.values()].flatMap(durationSamples),
      },
      single('forgelet_http_requests_in_flight', 'gauge', 'Requests that are being answered.', inFlight),
    ],
  }
}
