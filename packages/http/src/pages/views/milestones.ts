import { loadContainer } from '../components/container.ts'
import { stateBadge } from '../components/issuable-list.ts'
import { milestoneDates, milestoneUrl } from '../components/milestone.ts'
import { emptyList, pagination } from '../components/pagination.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The milestones of a project or a group, and those of the groups above. */
export const view: View = async (ctx, parameters) => {
  const container = await loadContainer(ctx, parameters)
  const milestones = await ctx.session.milestones.list({
    ...container.reference,
    includeAncestors: true,
    page: readPageNumber(ctx),
  })
  const content = html`<h1>Milestones</h1>
${milestones.items.length === 0 && emptyList('No milestones.')}
<ul class="rows">${milestones.items.map(
    (milestone) =>
      html`<li>${stateBadge(milestone.state)} <a class="title" href="${milestoneUrl(ctx, milestone)}">${milestone.title}</a> ${milestoneDates(milestone)}</li>`,
  )}</ul>${pagination(ctx, milestones)}`
  return { title: `Milestones · ${container.fullPath}`, body: container.page('milestones', content) }
}
