import { commitSummary } from '../components/commit-list.ts'
import { emptyList, pagination } from '../components/pagination.ts'
import { fileUrl, loadProject, projectPage } from '../components/project-page.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The tags of a project. */
export const view: View = async (ctx, { project: fullPath = '' }) => {
  const [project, tags] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.tags.list({ project: fullPath, page: readPageNumber(ctx) }),
  ])
  const content = html`<h1>Tags</h1>
${tags.items.length === 0 && emptyList('No tags.')}
<ul class="rows">${tags.items.map(
    (
      tag,
    ) => html`<li><a class="title" href="${fileUrl(ctx, project.fullPath, { kind: 'tree', ref: tag.name, path: '' })}">${tag.name}</a>
<p>${commitSummary(ctx, tag.commit)}</p></li>`,
  )}</ul>${pagination(ctx, tags)}`
  return { title: `Tags · ${project.fullPath}`, body: projectPage(ctx, project, 'tags', content) }
}
