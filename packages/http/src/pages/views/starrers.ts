import { loadProject, projectPage } from '../components/project-page.ts'
import { rows } from '../components/rows.ts'
import { day } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The users who have starred a project. */
export const view: View = async (ctx, { project: path = '' }) => {
  const [project, starrers] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.projects.listStarrers({ project: path, page: readPageNumber(ctx) }),
  ])
  const content = html`<h1>Stars</h1>
${rows(ctx, starrers, {
  empty: 'No stars.',
  row: ({ user, starredSince }) => html`${userLink(ctx, user)} <span class="muted">${day(starredSince)}</span>`,
})}`
  return { title: `Stars · ${project.fullPath}`, body: projectPage(ctx, project, 'project', content) }
}
