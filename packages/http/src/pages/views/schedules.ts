import { loadProject, projectPage } from '../components/project-page.ts'
import { rows } from '../components/rows.ts'
import { time } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The schedules that create pipelines. */
export const view: View = async (ctx, { project: path = '' }) => {
  const [project, schedules] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.pipelineSchedules.list({ project: path, page: readPageNumber(ctx) }),
  ])
  const content = html`<h1>Pipeline schedules</h1>
${rows(ctx, schedules, {
  empty: 'No schedules.',
  row: ({ description, active, cron, cronTimezone, ref, owner, nextRunAt }) =>
    html`<span class="title">${description}</span> <span class="badge">${active ? 'active' : 'inactive'}</span>
<p class="muted"><code>${cron}</code> ${cronTimezone} on <code>${ref}</code>${owner && html`, for ${userLink(ctx, owner)}`}${nextRunAt !== null && html`, next ${time(nextRunAt)}`}</p>`,
})}`
  return { title: `Pipeline schedules · ${project.fullPath}`, body: projectPage(ctx, project, 'pipelines', content) }
}
