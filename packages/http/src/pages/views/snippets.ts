import type { Page } from '@forgelet/core'
import type { Snippet } from '@forgelet/core/operations'
import { loadProject, projectPage } from '../components/project-page.ts'
import { rows } from '../components/rows.ts'
import { snippetRow } from '../components/snippet.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readPageNumber, type View } from '../page-context.ts'

const snippetList = (ctx: PageContext, snippets: Page<Snippet>): Html =>
  html`<h1>Snippets</h1>
${rows(ctx, snippets, { empty: 'No snippets.', row: (snippet) => snippetRow(ctx, snippet) })}`

/** The snippets of a project, or all that the visitor can read. */
export const view: View = async (ctx, { project: path }) => {
  const page = readPageNumber(ctx)
  if (path === undefined) {
    const filter = ctx.viewer === undefined ? { public: true } : { all: true }
    return { title: 'Snippets', body: snippetList(ctx, await ctx.session.snippets.list({ ...filter, page })) }
  }
  const [project, snippets] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.snippets.list({ project: path, page }),
  ])
  const body = projectPage(ctx, project, 'snippets', snippetList(ctx, snippets))
  return { title: `Snippets · ${project.fullPath}`, body }
}
