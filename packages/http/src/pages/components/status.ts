import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'

/** The status of a pipeline or job, by the color of its result. */
export const statusBadge = (status: string): Html =>
  html`<span class="badge status-${status}">${status.replaceAll('_', ' ')}</span>`

interface LinkedPipeline {
  readonly id: number
  readonly status: string
  readonly projectPath: string
}

/** The status of a pipeline, and a link to its page. */
export const pipelineLink = (ctx: PageContext, { id, status, projectPath }: LinkedPipeline): Html =>
  html`${statusBadge(status)} <a href="${ctx.url(projectPath, '-/pipelines', id)}">#${id}</a>`
