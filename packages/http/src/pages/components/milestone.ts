import type { Milestone } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'

/** The days of a milestone. */
export const milestoneDates = ({ startDate, dueDate }: Milestone): Html | false => {
  if (startDate === null && dueDate === null) return false
  const dates = [startDate !== null && `from ${startDate}`, dueDate !== null && `due ${dueDate}`].filter(Boolean)
  return html`<span class="muted">${dates.join(', ')}</span>`
}
