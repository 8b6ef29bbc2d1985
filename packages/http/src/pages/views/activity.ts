import { eventRow } from '../components/event.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { rows } from '../components/rows.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The activity in a project, newest first. */
export const view: View = async (ctx, { project: path = '' }) => {
  const [project, events] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.events.list({ project: path, page: readPageNumber(ctx) }),
  ])
  const content = html`<h1>Activity</h1>
${rows(ctx, events, { empty: 'No activity.', row: (event) => eventRow(ctx, event, true) })}`
  return { title: `Activity · ${project.fullPath}`, body: projectPage(ctx, project, 'activity', content) }
}
