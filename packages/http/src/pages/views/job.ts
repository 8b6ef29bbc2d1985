import { isPlatformError, PlatformError } from '@forgelet/core'
import { getSeconds, type UserSummary } from '@forgelet/core/operations'
import { loadProject, projectPage } from '../components/project-page.ts'
import { time } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { html } from '../html.ts'
import { type PageContext, readNumber, type View } from '../page-context.ts'

/** What the page shows of a job. */
interface ShownJob {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly stage: string
  readonly ref: string
  readonly tag: boolean
  readonly createdAt: string
  readonly user: UserSummary | null
  /** Seconds; null before the end. */
  readonly duration: number | null
}

const findPipelineJob = async (
  { session }: PageContext,
  project: string,
  id: number,
): Promise<ShownJob | undefined> => {
  try {
    const { pipeline, startedAt, finishedAt, ...job } = await session.pipelineJobs.get({ project, job: id })
    return { ...job, ref: pipeline.ref, tag: pipeline.tag, duration: getSeconds(startedAt, finishedAt) }
  } catch (error) {
    if (isPlatformError(error) && error.code === 'not_found') return undefined
    throw error
  }
}

/** The job of one of the 100 newest deployments. */
const findDeploymentJob = async (
  { session }: PageContext,
  project: string,
  id: number,
): Promise<ShownJob | undefined> => {
  const { items } = await session.deployments.list({ project, sort: 'desc', perPage: 100 })
  return items.map(({ deployable }) => deployable).find((job) => job?.id === id) ?? undefined
}

/** A job of a pipeline, or of a deployment that the host recorded. */
export const view: View = async (ctx, { project: fullPath = '', id }) => {
  const project = await loadProject(ctx, fullPath)
  const number = readNumber(id)
  const job = (await findPipelineJob(ctx, fullPath, number)) ?? (await findDeploymentJob(ctx, fullPath, number))
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
