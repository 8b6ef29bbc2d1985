import { appendFileSync } from 'node:fs'

/** Counts of a test, by name: `{ kills: 6, 'acknowledged writes': 210 }`. */
export type Figures = Readonly<Record<string, number>>

/**
 * Prints what a test did, so that a test that did nothing is noticed. `pnpm test:trust` sums up the figures: it names a file in
 * `FORGELET_FIGURES`, to which each report is appended as one line of JSON.
 */
export const reportFigures = (what: string, figures: Figures): void => {
  const texts = Object.entries(figures).map(([name, count]) => `${count} ${name}`)
  console.log(`${what}: ${texts.join(', ')}`)
  const { FORGELET_FIGURES: file } = process.env
  if (file) appendFileSync(file, `${JSON.stringify(figures)}\n`)
}
