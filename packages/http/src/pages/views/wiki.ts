import { loadContainer } from '../components/container.ts'
import { markdown, renderTexts, resolveRelativeUrls } from '../components/markdown.ts'
import { html } from '../html.ts'
import type { View } from '../page-context.ts'

/** A page of the wiki of a project or a group. */
export const view: View = async (ctx, parameters) => {
  const container = await loadContainer(ctx, parameters)
  const slug = parameters.rest ?? ''
  const { title, format, content = '' } = await ctx.session.wikis.get({ ...container.reference, slug })
  const [rendered] = format === 'markdown' ? await renderTexts(ctx, [content], { project: container.project }) : []
  // Attached files are files of the project, at the relative address `uploads/…`.
  const folders = { page: container.url('wikis'), raw: ctx.url(container.fullPath) }
  const text =
    format === 'markdown'
      ? markdown(rendered && resolveRelativeUrls(rendered, folders), 'The page is empty.')
      : html`<pre>${content}</pre>`
  const body = html`<h1>${title}</h1>
<p><a href="${container.url('wikis')}">All pages</a></p>
${text}`
  return { title: `${title} · ${container.fullPath}`, body: container.page('wikis', body) }
}
