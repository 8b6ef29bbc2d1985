import type { PipelineJobDetails } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { formatSize } from './code.ts'
import { statusBadge } from './status.ts'

/** The address of a page or a file of a job. */
export const jobUrl = (
  ctx: PageContext,
  { id, pipeline }: Pick<PipelineJobDetails, 'id' | 'pipeline'>,
  ...parts: readonly string[]
): string => ctx.url(pipeline.projectPath, '-/jobs', id, ...parts)

/** A link to the archive of the files that a job created. */
export const artifactLink = (ctx: PageContext, job: PipelineJobDetails): Html | false =>
  job.artifact !== null &&
  html`<a href="${jobUrl(ctx, job, 'artifacts/download')}">${job.artifact.fileName}</a> <span class="muted">(${formatSize(job.artifact.size)})</span>`

/** A job in a list. */
export const jobRow = (ctx: PageContext, job: PipelineJobDetails): Html => {
  const { name, status, allowFailure, retried, failureReason } = job
  const artifact = artifactLink(ctx, job)
  const notes = [failureReason?.replaceAll('_', ' '), allowFailure && 'may fail', retried && 'retried'].filter(
    (note) => typeof note === 'string',
  )
  return html`${statusBadge(status)} <a class="title" href="${jobUrl(ctx, job)}">${name}</a>${notes.length > 0 && html` <span class="muted">${notes.join(', ')}</span>`}${artifact && html`<p>${artifact}</p>`}`
}
