import { loadContainer } from '../components/container.ts'
import { label } from '../components/label.ts'
import { emptyList, pagination } from '../components/pagination.ts'
import { html, sanitizedHtml } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The labels of a project or a group. */
export const view: View = async (ctx, parameters) => {
  const container = await loadContainer(ctx, parameters)
  const labels = await ctx.session.labels.list({ ...container.reference, page: readPageNumber(ctx), perPage: 100 })
  const content = html`<h1>Labels</h1>
${labels.items.length === 0 && emptyList('No labels.')}
<ul class="rows">${labels.items.map(({ name, color, descriptionHtml, isProjectLabel }) => {
    const text = label(name, color)
    const link = html`<a href="${container.url('issues')}?${new URLSearchParams({ label: name }).toString()}">${text}</a>`
    return html`<li>${container.project === undefined ? text : link}${!isProjectLabel && container.project !== undefined && html` <span class="badge">group</span>`} ${sanitizedHtml(descriptionHtml)}</li>`
  })}</ul>${pagination(ctx, labels)}`
  return { title: `Labels · ${container.fullPath}`, body: container.page('labels', content) }
}
