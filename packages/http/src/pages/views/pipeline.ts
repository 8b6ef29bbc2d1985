import { emptyList } from '../components/pagination.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { time } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { html } from '../html.ts'
import { readNumber, type View } from '../page-context.ts'

/** A pipeline with its jobs; at most the first 100. */
export const view: View = async (ctx, { project: fullPath = '', id }) => {
  const key = { project: fullPath, pipeline: readNumber(id) }
  const [project, pipeline, jobs] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.pipelines.get(key),
    ctx.session.pipelineJobs.list({ ...key, perPage: 100 }),
  ])
  const content = html`<h1>Pipeline ${pipeline.name ?? `#${pipeline.id}`}</h1>
<dl class="details">
<div><dt>Status</dt><dd>${pipeline.status}</dd></div>
<div><dt>${pipeline.tag ? 'Tag' : 'Branch'}</dt><dd><code>${pipeline.ref}</code></dd></div>
<div><dt>Commit</dt><dd><a href="${ctx.url(fullPath, '-', 'commit', pipeline.sha)}"><code>${pipeline.sha.slice(0, 8)}</code></a></dd></div>
<div><dt>Created</dt><dd>${time(pipeline.createdAt)}</dd></div>
${pipeline.user && html`<div><dt>User</dt><dd>${userLink(ctx, pipeline.user)}</dd></div>`}
</dl>
<h2>Jobs</h2>
${jobs.items.length === 0 && emptyList('No jobs.')}
<ul class="rows">${jobs.items.map(
    (job) => html`<li><a class="title" href="${ctx.url(fullPath, '-', 'jobs', job.id)}">${job.name}</a>
<p>${job.stage}: ${job.status}</p></li>`,
  )}</ul>`
  const title = `${pipeline.name ?? 'Pipeline'} (#${pipeline.id}) · ${project.fullPath}`
  return { title, body: projectPage(ctx, project, 'other', content) }
}
