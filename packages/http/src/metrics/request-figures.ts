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

/** What was answered to one method of one route. */
interface Answered {
  readonly labels: Readonly<Record<string, string>>
  /** How many, by the first digit of their status. */
  readonly classes: number[]
  /** How many were at most as long as each bound, not added up yet; the last ones were longer than all. */
  readonly counts: number[]
  sum: number
}

const classSamples = ({ labels, classes }: Answered): readonly Sample[] =>
  classes.flatMap((value, digit) => (value > 0 ? [{ labels: { ...labels, status: `${digit}xx` }, value }] : []))

const durationSamples = ({ labels, counts, sum }: Answered): readonly Sample[] => {
  let upTo = 0
  const buckets = counts.map((count, at) => {
    upTo += count
    return { labels: { ...labels, le: String(bounds[at] ?? '+Inf') }, value: upTo, suffix: '_bucket' }
  })
  return [...buckets, { labels, value: sum, suffix: '_sum' }, { labels, value: upTo, suffix: '_count' }]
}

const add = (counts: number[], at: number) => {
  counts[at] = (counts[at] ?? 0) + 1
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
  const routes = new Map<string, Map<string, Answered>>()
  let inFlight = 0

  return {
    started(): void {
      inFlight += 1
    },
    finished({ method: written, route: template, status, seconds }: AnsweredRequest): void {
      inFlight -= 1
      const method = knownMethods.has(written) ? written : 'other'
      const route = template ?? 'none'
      // What is new is made once; what every request passes only counts.
      const answered = made(
        made(routes, route, () => new Map<string, Answered>()),
        method,
        () => ({
          labels: { method, route },
          classes: Array.from({ length: 6 }, () => 0),
          counts: Array.from({ length: bounds.length + 1 }, () => 0),
          sum: 0,
        }),
      )
      add(answered.classes, Math.floor(status / 100))
      const at = bounds.findIndex((bound) => seconds <= bound)
      add(answered.counts, at < 0 ? bounds.length : at)
      answered.sum += seconds
    },
    families(): readonly Family[] {
      const all = [...routes.values()].flatMap((methods) => [...methods.values()])
      return [
        {
          name: 'forgelet_http_requests_total',
          help: 'Requests answered, by route, method and class of status.',
          type: 'counter',
          samples: all.flatMap(classSamples),
        },
        {
          name: 'forgelet_http_request_duration_seconds',
          help: 'How long answers took, until their last byte was handed over.',
          type: 'histogram',
          samples: all.flatMap(durationSamples),
        },
        single('forgelet_http_requests_in_flight', 'gauge', 'Requests that are being answered.', inFlight),
      ]
    },
  }
}
