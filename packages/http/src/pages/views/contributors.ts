import { loadProject, projectPage } from '../components/project-page.ts'
import { count, rows } from '../components/rows.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The authors of the commits of a branch, tag or commit, those with the most commits first. */
export const view: View = async (ctx, { project: path = '', rest: ref = '' }) => {
  const [project, contributors] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.repository.listContributors({
      project: path,
      ref,
      orderBy: 'commits',
      sort: 'desc',
      page: readPageNumber(ctx),
    }),
  ])
  const content = html`<h1>Contributors to ${ref}</h1>
${rows(ctx, contributors, {
  empty: 'No contributors.',
  row: ({ name, commits, additions, deletions }) =>
    html`<span class="title">${name}</span> <span class="muted">${count(commits, 'commit')}, ${additions} lines added, ${deletions} removed</span>`,
})}`
  return { title: `Contributors · ${project.fullPath}`, body: projectPage(ctx, project, 'tree', content) }
}
