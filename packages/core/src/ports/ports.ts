import type { Clock } from './clock.ts'
import type { Markdown } from './markdown.ts'
import type { Random } from './random.ts'

/** What the platform asks of the world outside its database. Every port has an embedded default. */
export interface Ports {
  readonly clock: Clock
  readonly random: Random
  readonly markdown: Markdown
}
