import { hostileTexts, parseLongLine } from '../hostile-texts.ts'
import { atMost, type Table } from '../table.ts'

/** The minimum of a few runs, in milliseconds: other load on the machine can only add time. */
const best = (work: () => unknown): number => {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 4; round++) {
    const start = performance.now()
    work()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

const short = 65_536

/** Shorter times, in milliseconds, are dominated by clock resolution. */
const measurable = 5

/** The growth of the time for four times the text, within one run: 4 for linear work, 16 for quadratic work. */
export async function linearity(): Promise<Table[]> {
  const lines = hostileTexts.map(({ what, make, read }) => {
    const [once, fourTimes] = [short, 4 * short].map((length) => {
      const text = make(length)
      return best(() => read(text))
    }) as [number, number]
    const growth = fourTimes / Math.max(once, measurable)
    return atMost(what, [once, fourTimes, growth], growth, 8)
  })
  const longLine = best(parseLongLine)
  return [
    {
      title: 'Growth of the time with the text',
      reference: 'a quarter of the text: 4 is linear, 16 quadratic',
      columns: ['64 kB, ms', '256 kB, ms', 'growth'],
      lines: [...lines, { what: 'a line of 64 MiB in a diff', values: [longLine, '', ''] }],
    },
  ]
}
