/** One value of a family under its labels. `suffix` tells the parts of a histogram apart: `_bucket`, `_sum`, `_count`. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
  readonly suffix?: string
}

/** One figure, with a value for each set of labels. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

/** A figure with one value. */
export const single = (name: string, type: 'counter' | 'gauge', help: string, value: number): Family => ({
  name,
  help,
  type,
  samples: [{ labels: {}, value }],
})

/** The media type of the text form, version 0.0.4 of Prometheus. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

const escapedHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapedValue = (text: string) => escapedHelp(text).replaceAll('"', '\\"')

const labelled = (labels: Sample['labels']) => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapedValue(value)}"`)
  return pairs.length ? `{${pairs.join(',')}}` : ''
}

const number = (value: number) => {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

/** The text form of Prometheus: what a scrape gets. */
export const exposition = (families: readonly Family[]): string =>
  families
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${escapedHelp(help)}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ labels, value, suffix = '' }) => `${name}${suffix}${labelled(labels)} ${number(value)}`),
      '',
    ])
    .join('\n')

const keyOf = ({ labels, suffix = '' }: Sample) => JSON.stringify([suffix, labels])

/**
 * The figures of several processes as one: counters and histograms are added up; gauges stay apart under the label
 * `worker`, since a sum of delays says nothing.
 */
export const merged = (workers: ReadonlyMap<string, readonly Family[]>): readonly Family[] => {
  const families = new Map<string, Family & { readonly sums: Map<string, Sample> }>()
  for (const [worker, given] of workers) {
    for (const family of given) {
      const known = families.get(family.name) ?? { ...family, sums: new Map<string, Sample>() }
      families.set(family.name, known)
      for (const sample of family.samples) {
        const kept = family.type === 'gauge' ? { ...sample, labels: { worker, ...sample.labels } } : sample
        const key = keyOf(kept)
        known.sums.set(key, { ...kept, value: kept.value + (known.sums.get(key)?.value ?? 0) })
      }
    }
  }
  return [...families.values()].map(({ sums, ...family }) => ({ ...family, samples: [...sums.values()] }))
}
