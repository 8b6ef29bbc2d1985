import { PlatformError } from '@forgelet/core'
import { type DeploymentJob, getSeconds, type PipelineJobDetails } from '@forgelet/core/operations'
import { artifactLink, jobUrl } from '../components/job-list.ts'
import { jobLog } from '../components/job-log.ts'
import { emptyList } from '../components/pagination.ts'
import { ifPermitted } from '../components/permitted.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { details, section } from '../components/rows.ts'
import { pipelineLink, statusBadge } from '../components/status.ts'
import { time } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readNumber, type View } from '../page-context.ts'

/** The job of one of the 100 newest deployments. */
const findDeploymentJob = async (
  { session }: PageContext,
  project: string,
  id: number,
): Promise<DeploymentJob | undefined> => {
  const { items } = await session.deployments.list({ project, perPage: 100 })
  return items.map(({ deployable }) => deployable).find((job) => job?.id === id) ?? undefined
}

/** What jobs of pipelines and jobs that the host recorded have in common. */
const commonDetails = (
  ctx: PageContext,
  job: PipelineJobDetails | DeploymentJob,
  { ref, tag }: { readonly ref: string; readonly tag: boolean },
) => ({
  Status: statusBadge(job.status),
  Stage: job.stage,
  [tag ? 'Tag' : 'Branch']: html`<code>${ref}</code>`,
  Created: html`${time(job.createdAt)}${job.user && html` by ${userLink(ctx, job.user)}`}`,
  Coverage: job.coverage !== null && `${job.coverage} %`,
})

const pipelineJobDetails = (ctx: PageContext, job: PipelineJobDetails) => {
  const duration = getSeconds(job.startedAt, job.finishedAt)
  return details({
    ...commonDetails(ctx, job, job.pipeline),
    Failure: job.failureReason?.replaceAll('_', ' '),
    Pipeline: pipelineLink(ctx, job.pipeline),
    Commit: html`<a class="sha" href="${ctx.url(job.pipeline.projectPath, '-/commit', job.pipeline.sha)}">${job.pipeline.sha.slice(0, 8)}</a>`,
    Environment: job.environment,
    Runner: job.runner && (job.runner.description ?? `#${job.runner.id}`),
    Duration: duration !== null && `${duration} seconds`,
    Started: job.downstreamPipeline && html`pipeline ${pipelineLink(ctx, job.downstreamPipeline)}`,
    Artifacts: artifactLink(ctx, job),
    Erased: job.erasedAt !== null && time(job.erasedAt),
  })
}

/** The log, for visitors who can read it. */
const logSection = async (ctx: PageContext, project: string, job: PipelineJobDetails): Promise<Html | undefined> => {
  const trace = await ifPermitted(ctx.session.pipelineJobs.getTrace({ project, job: job.id }))
  if (trace === undefined) return undefined
  return section(
    'log',
    'Log',
    trace.content === '' ? emptyList('No log.') : jobLog(trace.content, jobUrl(ctx, job, 'raw')),
  )
}

/** A job of a pipeline with its log, or of a deployment that the host recorded. */
export const view: View = async (ctx, { project: path = '', id }) => {
  const number = readNumber(id)
  const project = await loadProject(ctx, path)
  const ofPipeline = await ifPermitted(ctx.session.pipelineJobs.get({ project: path, job: number }))
  const job = ofPipeline ?? (await findDeploymentJob(ctx, path, number))
  if (!job) throw new PlatformError('not_found', 'Not found')
  const content = html`<h1>Job ${job.name}</h1>
${'ref' in job ? details({ ...commonDetails(ctx, job, job), Duration: job.duration !== null && `${job.duration} seconds` }) : pipelineJobDetails(ctx, job)}
${ofPipeline && (await logSection(ctx, path, ofPipeline))}`
  return {
    title: `${job.name} (job ${job.id}) · ${project.fullPath}`,
    body: projectPage(ctx, project, 'pipelines', content),
  }
}
