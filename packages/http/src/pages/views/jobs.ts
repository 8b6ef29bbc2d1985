import { jobRow } from '../components/job-list.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { rows } from '../components/rows.ts'
import { time } from '../components/time.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The jobs of all pipelines of a project, newest first. */
export const view: View = async (ctx, { project: path = '' }) => {
  const [project, jobs] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.pipelineJobs.list({ project: path, page: readPageNumber(ctx) }),
  ])
  const content = html`<h1>Jobs</h1>
${rows(ctx, jobs, {
  empty: 'No jobs.',
  row: (job) => html`${jobRow(ctx, job)}
<p class="muted">${job.stage} of pipeline <a href="${ctx.url(job.pipeline.projectPath, '-/pipelines', job.pipelineId)}">#${job.pipelineId}</a> on <code>${job.pipeline.ref}</code>, ${time(job.createdAt)}</p>`,
})}`
  return { title: `Jobs · ${project.fullPath}`, body: projectPage(ctx, project, 'pipelines', content) }
}
