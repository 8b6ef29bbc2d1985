import { loadContainer } from '../components/container.ts'
import { rows } from '../components/rows.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The pages of the wiki of a project or a group. */
export const view: View = async (ctx, parameters) => {
  const container = await loadContainer(ctx, parameters)
  const pages = await ctx.session.wikis.list({ ...container.reference, page: readPageNumber(ctx), perPage: 100 })
  const content = html`<h1>Wiki</h1>
${rows(ctx, pages, {
  empty: 'No pages.',
  row: ({ slug, title }) => html`<a class="title" href="${container.url('wikis', slug)}">${title}</a>`,
})}`
  return { title: `Wiki · ${container.fullPath}`, body: container.page('wikis', content) }
}
