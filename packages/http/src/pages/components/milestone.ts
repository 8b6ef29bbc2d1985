import type { Milestone } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'

/** The address of a milestone of a project or a group. */
export const milestoneUrl = (ctx: PageContext, { iid, groupId, parentPath }: Milestone): string =>
  ctx.url(groupId === null ? parentPath : `groups/${parentPath}`, '-/milestones', iid)

/** The days of a milestone. */
export const milestoneDates = ({ startDate, dueDate }: Milestone): Html | false => {
  if (startDate === null && dueDate === null) return false
  const dates = [startDate !== null && `from ${startDate}`, dueDate !== null && `due ${dueDate}`].filter(Boolean)
  return html`<span class="muted">${dates.join(', ')}</span>`
}
