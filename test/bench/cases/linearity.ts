import { difference, hostileTexts } from '../hostile-texts.ts'
import { atMost, type Table } from '../table.ts'

/** The best of a few: other work on the machine only ever adds. */
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

/** What takes less is not told from the clock's own steps. */
const measurable = 5

/**
 * How much longer four times the text takes, in one run on one machine: four times where work is in proportion, sixteen
 * times where it grows with the square.
 */
export async function linearity(): Promise<Table[]> {
  const lines = hostileTexts.map(({ what, make, read }) => {
    const [once, fourTimes] = [short, 4 * short].map((length) => {
      const text = make(length)
      return best(() => read(text))
    }) as [number, number]
    const growth = fourTimes / Math.max(once, measurable)
    return atMost(what, [once, fourTimes, growth], growth, 8)
  })
  const through = best(difference)
  return [
    {
      title: 'Work in proportion to the text',
      columns: ['64 kB, ms', '256 kB, ms', 'growth'],
      lines: [...lines, { what: 'a line of 64 MiB through the reader of differences', figures: [through, '', ''] }],
    },
  ]
}
