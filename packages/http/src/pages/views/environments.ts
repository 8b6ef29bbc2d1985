import { loadProject, projectPage } from '../components/project-page.ts'
import { rows } from '../components/rows.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The environments of a project. */
export const view: View = async (ctx, { project: path = '' }) => {
  const [project, environments] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.environments.list({ project: path, page: readPageNumber(ctx) }),
  ])
  const content = html`<h1>Environments</h1>
${rows(ctx, environments, {
  empty: 'No environments.',
  row: ({ id, name, state, tier }) =>
    html`<a class="title" href="${ctx.url(project.fullPath, '-/environments', id)}">${name}</a> <span class="badge">${state}</span> ${tier !== name && html`<span class="muted">${tier}</span>`}`,
})}`
  return { title: `Environments · ${project.fullPath}`, body: projectPage(ctx, project, 'environments', content) }
}
