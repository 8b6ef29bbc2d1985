import { systemClock } from './clock.ts'
import { embeddedMarkdown } from './markdown.ts'
import type { Ports } from './ports.ts'
import { systemRandom } from './random.ts'

/** The embedded default of every port that the host did not bring. */
export const withDefaults = (given: Partial<Ports>): Ports => ({
  clock: systemClock,
  random: systemRandom,
  markdown: embeddedMarkdown(),
  ...given,
})
