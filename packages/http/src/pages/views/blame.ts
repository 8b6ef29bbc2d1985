import { PlatformError } from '@forgelet/core'
import type { BlameSection } from '@forgelet/core/operations'
import { commitLink } from '../components/commit-list.ts'
import { pagination } from '../components/pagination.ts'
import { fileUrl, loadProject, projectPage } from '../components/project-page.ts'
import { day } from '../components/time.ts'
import { pathLinks } from '../components/tree-list.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readPageNumber, type View } from '../page-context.ts'

/** Lines of a file on one page. */
const perPage = 1_000

/** The lines of a section with their numbers, beside the commit that last changed them. */
const sectionRows = (ctx: PageContext, { commit, lines }: BlameSection, first: number): Html =>
  html`${lines.map(
    (line, index) =>
      html`<tr>${index === 0 && html`<th scope="rowgroup" rowspan="${lines.length}">${commitLink(ctx, commit)} <span class="title">${commit.title.slice(0, 100).toWellFormed()}</span> <span class="muted">${commit.authorName}, ${day(commit.authoredDate)}</span></th>`}<td class="number" id="L${first + index}"><a href="#L${first + index}" tabindex="-1">${first + index}</a></td><td><pre>${line}</pre></td></tr>`,
  )}`

/** A file with the commits that last changed its lines. */
export const view: View = async (ctx, { project: fullPath = '', rest = '' }) => {
  const [project, { ref, path }] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.repository.locate({ project: fullPath, location: rest }),
  ])
  if (path === '') throw new PlatformError('not_found', 'Not found')
  const page = readPageNumber(ctx)
  const start = (page - 1) * perPage + 1
  const range = { start, end: start + perPage - 1 }
  const sections = await ctx.session.repositoryFiles.getBlame({ project: fullPath, ref, filePath: path, range })
  const counts = sections.map(({ lines }) => lines.length)
  const lineCount = counts.reduce((sum, count) => sum + count, 0)
  let next = start
  const tables = sections.map((section) => {
    const first = next
    next += section.lines.length
    return html`<tbody>${sectionRows(ctx, section, first)}</tbody>`
  })
  const content = html`<h1>${path}</h1>
${pathLinks(ctx, project.fullPath, { ref, path })}
<p class="muted"><a href="${fileUrl(ctx, project.fullPath, { kind: 'blob', ref, path })}">File</a></p>
<div class="code" role="region" aria-label="Lines and their commits" tabindex="0"><table class="blame">${tables}</table></div>
${pagination(ctx, { items: sections, page, perPage, total: undefined, hasNext: lineCount === perPage })}`
  return { title: `Blame of ${path} at ${ref} · ${project.fullPath}`, body: projectPage(ctx, project, 'tree', content) }
}
