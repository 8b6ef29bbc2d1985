import { loadContainer } from '../components/container.ts'
import { rows } from '../components/rows.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The issue boards of a project or a group. */
export const view: View = async (ctx, parameters) => {
  const container = await loadContainer(ctx, parameters)
  const boards = await ctx.session.boards.list({ ...container.reference, page: readPageNumber(ctx) })
  const content = html`<h1>Issue boards</h1>
${rows(ctx, boards, {
  empty: 'No boards.',
  row: ({ id, name }) => html`<a class="title" href="${container.url('boards', id)}">${name}</a>`,
})}`
  return { title: `Issue boards · ${container.fullPath}`, body: container.page('issues', content) }
}
