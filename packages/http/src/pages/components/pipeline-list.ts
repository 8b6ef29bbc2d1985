import type { Page } from '@forgelet/core'
import type { Pipeline } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { rows } from './rows.ts'
import { pipelineLink } from './status.ts'
import { time } from './time.ts'
import { userLink } from './user.ts'

/** A page of pipelines, newest first. */
export const pipelineList = (ctx: PageContext, pipelines: Page<Pipeline>, parameter = 'page'): Html =>
  rows(ctx, pipelines, {
    empty: 'No pipelines.',
    parameter,
    row: (
      pipeline,
    ) => html`${pipelineLink(ctx, pipeline)}${pipeline.name !== null && html` <span class="title">${pipeline.name}</span>`}
<p class="muted"><code>${pipeline.ref}</code> at <a class="sha" href="${ctx.url(pipeline.projectPath, '-/commit', pipeline.sha)}">${pipeline.sha.slice(0, 8)}</a>${pipeline.user && html` by ${userLink(ctx, pipeline.user)}`}, ${time(pipeline.createdAt)}</p>`,
  })
