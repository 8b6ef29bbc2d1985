import { renderTexts } from '../components/markdown.ts'
import { emptyList, pagination } from '../components/pagination.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { releaseDetails } from '../components/release.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The releases of a project with their notes. */
export const view: View = async (ctx, { project: fullPath = '' }) => {
  const [project, releases] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.releases.list({ project: fullPath, page: readPageNumber(ctx) }),
  ])
  const notes = await renderTexts(
    ctx,
    releases.items.map(({ description }) => description),
    {
      project: project.fullPath,
      urlOf: (index) => ctx.url(project.fullPath, '-/releases', releases.items[index]?.tagName ?? ''),
    },
  )
  const content = html`<h1>Releases</h1>
${releases.items.length === 0 && emptyList('No releases.')}
${releases.items.map(
  (
    release,
    index,
  ) => html`<section class="file"><h2><a href="${ctx.url(project.fullPath, '-/releases')}/${encodeURIComponent(release.tagName)}">${release.name}</a></h2>
${releaseDetails(ctx, release, notes[index])}</section>`,
)}${pagination(ctx, releases)}`
  return { title: `Releases · ${project.fullPath}`, body: projectPage(ctx, project, 'releases', content) }
}
