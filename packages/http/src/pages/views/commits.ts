import { commitList } from '../components/commit-list.ts'
import { emptyList, pagination } from '../components/pagination.ts'
import { fileUrl, loadProject, projectPage } from '../components/project-page.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The commits of a branch, tag or commit, and those that changed a path. */
export const view: View = async (ctx, { project: fullPath = '', rest = '' }) => {
  const [project, { ref, path, commit }] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.repository.locate({ project: fullPath, location: rest }),
  ])
  const commits = await ctx.session.commits.list({
    project: fullPath,
    refName: commit.id,
    page: readPageNumber(ctx),
    perPage: 50,
    ...(path !== '' && { path }),
  })
  const place = path === '' ? ref : `${path} at ${ref}`
  const content = html`<h1>Commits of ${place}</h1>
<p class="muted"><a href="${fileUrl(ctx, project.fullPath, { kind: 'tree', ref, path: '' })}">Files at ${ref}</a>${path === '' && html` · <a href="${ctx.url(project.fullPath, '-/graphs', ref)}">Contributors</a>`}</p>
${commits.items.length === 0 ? emptyList('No commits.') : commitList(ctx, commits.items)}
${pagination(ctx, commits)}`
  return { title: `Commits of ${place} · ${project.fullPath}`, body: projectPage(ctx, project, 'tree', content) }
}
