import type { PipelineJobDetails } from '@forgelet/core/operations'
import { jobRow } from '../components/job-list.ts'
import { emptyList } from '../components/pagination.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { details } from '../components/rows.ts'
import { pipelineLink, statusBadge } from '../components/status.ts'
import { time } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readNumber, type View } from '../page-context.ts'

/** The jobs by stage, in the order in which they run. */
const stages = (ctx: PageContext, jobs: readonly PipelineJobDetails[]): Html => {
  const ordered = jobs.toSorted((one, other) => one.stageIndex - other.stageIndex || one.id - other.id)
  const groups = Map.groupBy(ordered, ({ stage }) => stage)
  return html`${[...groups].map(
    ([stage, members]) => html`<h3 class="stage">${stage}</h3>
<ul class="rows">${members.map(
      (job) =>
        html`<li>${jobRow(ctx, job)}${job.downstreamPipeline && html`<p>Started pipeline ${pipelineLink(ctx, job.downstreamPipeline)}</p>`}</li>`,
    )}</ul>`,
  )}`
}

/** A pipeline with its jobs by stage; at most the first 100. */
export const view: View = async (ctx, { project: path = '', id }) => {
  const key = { project: path, pipeline: readNumber(id) }
  const [project, pipeline, jobs] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.pipelines.get(key),
    ctx.session.pipelineJobs.list({ ...key, sort: 'asc', perPage: 100 }),
  ])
  const { fullPath } = project
  const { yamlErrors, finishedAt, coverage } = pipeline
  const content = html`<h1>Pipeline ${pipeline.name ?? `#${pipeline.id}`}</h1>
${yamlErrors !== null && html`<p class="error">${yamlErrors}</p>`}
${details({
  Status: statusBadge(pipeline.status),
  [pipeline.tag ? 'Tag' : 'Branch']: html`<code>${pipeline.ref}</code>`,
  Commit: html`<a class="sha" href="${ctx.url(fullPath, '-/commit', pipeline.sha)}">${pipeline.sha.slice(0, 8)}</a>`,
  Source: pipeline.source.replaceAll('_', ' '),
  Created: html`${time(pipeline.createdAt)}${pipeline.user && html` by ${userLink(ctx, pipeline.user)}`}`,
  Finished: finishedAt !== null && time(finishedAt),
  Coverage: coverage !== null && `${coverage} %`,
})}
<h2>Jobs</h2>
${jobs.items.length === 0 ? emptyList('No jobs.') : stages(ctx, jobs.items)}
${jobs.hasNext && html`<p class="note">Only the first 100 jobs are shown.</p>`}`
  const title = `${pipeline.name ?? 'Pipeline'} (#${pipeline.id}) · ${fullPath}`
  return { title, body: projectPage(ctx, project, 'pipelines', content) }
}
