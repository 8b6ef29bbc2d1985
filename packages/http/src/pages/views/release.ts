import { renderTexts } from '../components/markdown.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { releaseDetails } from '../components/release.ts'
import { html } from '../html.ts'
import type { View } from '../page-context.ts'

/** One release. */
export const view: View = async (ctx, { project: fullPath = '', tag = '' }) => {
  const [project, release] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.releases.get({ project: fullPath, tagName: tag }),
  ])
  const [notes] = await renderTexts(ctx, [release.description], { project: project.fullPath })
  const content = html`<h1>${release.name}</h1>
${releaseDetails(ctx, release, notes)}`
  return { title: `${release.name} · ${project.fullPath}`, body: projectPage(ctx, project, 'releases', content) }
}
