import { PlatformError } from '@forgelet/core'
import { loadContainer, type PageContainer } from '../components/container.ts'
import { issuableList, issueKind, mergeRequestKind, stateBadge } from '../components/issuable-list.ts'
import { markdown, renderTexts } from '../components/markdown.ts'
import { milestoneDates } from '../components/milestone.ts'
import { ifPermitted } from '../components/permitted.ts'
import { section, total } from '../components/rows.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

/** The issues and merge requests with a milestone, in the project, or in the group and everything below it. */
const itemSections = async (
  ctx: PageContext,
  { reference, project }: PageContainer,
  milestone: number,
): Promise<Html> => {
  const filter = { ...reference, milestone, withLabelsDetails: true }
  const [issues, mergeRequests] = await Promise.all([
    ifPermitted(ctx.session.issues.list({ ...filter, page: readPageNumber(ctx) })),
    ifPermitted(ctx.session.mergeRequests.list({ ...filter, page: readPageNumber(ctx, 'merge_requests_page') })),
  ])
  const place = project === undefined ? {} : { project }
  return html`${issues && section('issues', html`Issues${total(issues)}`, issuableList(ctx, issues, issueKind, place))}
${mergeRequests && section('merge-requests', html`Merge requests${total(mergeRequests)}`, issuableList(ctx, mergeRequests, mergeRequestKind, { ...place, parameter: 'merge_requests_page' }))}`
}

/** A milestone of a project or a group, and its issues and merge requests. */
export const view: View = async (ctx, parameters) => {
  const container = await loadContainer(ctx, parameters)
  const { items } = await ctx.session.milestones.list({ ...container.reference, iids: [readNumber(parameters.iid)] })
  const [milestone] = items
  if (milestone === undefined) throw new PlatformError('not_found', 'Not found')
  const { title, state, description } = milestone
  const [rendered] = await renderTexts(ctx, [description], { project: container.project })
  const content = html`<h1>${title}</h1>
<p>${stateBadge(state)} ${milestoneDates(milestone)}</p>
${markdown(rendered, 'No description.')}
${await itemSections(ctx, container, milestone.id)}`
  return { title: `${title} · ${container.fullPath}`, body: container.page('milestones', content) }
}
