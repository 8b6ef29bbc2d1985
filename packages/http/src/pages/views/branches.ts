import { commitSummary } from '../components/commit-list.ts'
import { emptyList, pagination } from '../components/pagination.ts'
import { fileUrl, loadProject, projectPage } from '../components/project-page.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The branches of a project. */
export const view: View = async (ctx, { project: fullPath = '' }) => {
  const [project, branches] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.branches.list({ project: fullPath, page: readPageNumber(ctx) }),
  ])
  const content = html`<h1>Branches</h1>
<p><a href="${ctx.url(project.fullPath, '-/compare')}">Compare revisions</a></p>
${branches.items.length === 0 && emptyList('No branches.')}
<ul class="rows">${branches.items.map(
    (
      branch,
    ) => html`<li><a class="title" href="${fileUrl(ctx, project.fullPath, { kind: 'tree', ref: branch.name, path: '' })}">${branch.name}</a>${branch.default && html` <span class="badge">default</span>`}
<p>${commitSummary(ctx, branch.commit)}</p></li>`,
  )}</ul>${pagination(ctx, branches)}`
  return { title: `Branches · ${project.fullPath}`, body: projectPage(ctx, project, 'branches', content) }
}
