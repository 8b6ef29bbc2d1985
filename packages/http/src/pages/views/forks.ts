import { projectList } from '../components/project-list.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The forks of a project that the visitor can see. */
export const view: View = async (ctx, { project: path = '' }) => {
  const [project, forks] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.forks.list({ project: path, page: readPageNumber(ctx) }),
  ])
  const content = html`<h1>Forks</h1>
${projectList(ctx, forks)}`
  return { title: `Forks · ${project.fullPath}`, body: projectPage(ctx, project, 'project', content) }
}
