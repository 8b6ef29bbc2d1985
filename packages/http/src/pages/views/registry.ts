import { loadProject, projectPage } from '../components/project-page.ts'
import { count, rows } from '../components/rows.ts'
import { day } from '../components/time.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The container repositories of a project. */
export const view: View = async (ctx, { project: path = '' }) => {
  const [project, repositories] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.containerRepositories.list({ project: path, tagsCount: true, page: readPageNumber(ctx) }),
  ])
  const content = html`<h1>Container registry</h1>
${rows(ctx, repositories, {
  empty: 'No container repositories.',
  row: ({ id, path: name, location, tagsCount, createdAt }) =>
    html`<a class="title" href="${ctx.url(project.fullPath, '-/container_registry', id)}">${name}</a> <span class="muted">${tagsCount !== undefined && `${count(tagsCount, 'tag')}, `}${day(createdAt)}</span>
<p><code>${location}</code></p>`,
})}`
  return { title: `Container registry · ${project.fullPath}`, body: projectPage(ctx, project, 'registry', content) }
}
