import { type Html, html } from '../html.ts'

/** A point in time, to the minute, in UTC. */
export const time = (instant: string): Html =>
  html`<time datetime="${instant}">${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`

/** The day of a point in time, in UTC. */
export const day = (instant: string): Html =>
  html`<time datetime="${instant}">${new Date(instant).toISOString().slice(0, 10)}</time>`
