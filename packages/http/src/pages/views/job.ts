import { PlatformError } from '@forgelet/core'
import { loadProject, projectPage } from '../components/project-page.ts'
import { time } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { html } from '../html.ts'
import { readNumber, type View } from '../page-context.ts'

/** The job of one of the 100 newest deployments. */
export const view: View = async (ctx, { project: fullPath = '', id }) => {
  const [project, deployments] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.deployments.list({ project: fullPath, perPage: 100 }),
  ])
  const job = deployments.items.map(({ deployable }) => deployable).find((one) => one?.id === readNumber(id))
  if (!job) throw new PlatformError('not_found', 'Not found')
  const content = html`<h1>Job ${job.name}</h1>
<dl class="details">
<div><dt>Status</dt><dd>${job.status}</dd></div>
<div><dt>Stage</dt><dd>${job.stage}</dd></div>
<div><dt>${job.tag ? 'Tag' : 'Branch'}</dt><dd><code>${job.ref}</code></dd></div>
<div><dt>Created</dt><dd>${time(job.createdAt)}</dd></div>
${job.user && html`<div><dt>User</dt><dd>${userLink(ctx, job.user)}</dd></div>`}
${job.duration !== null && html`<div><dt>Duration</dt><dd>${job.duration} seconds</dd></div>`}
</dl>`
  return {
    title: `${job.name} (job ${job.id}) · ${project.fullPath}`,
    body: projectPage(ctx, project, 'other', content),
  }
}
