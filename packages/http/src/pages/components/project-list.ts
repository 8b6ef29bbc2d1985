import type { Page } from '@forgelet/core'
import type { ProjectRecord } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { rows } from './rows.ts'
import { day } from './time.ts'

/** A page of projects, with links to the other pages. */
export const projectList = (ctx: PageContext, projects: Page<ProjectRecord>): Html =>
  rows(ctx, projects, {
    empty: 'No projects.',
    row: ({ fullPath, nameWithNamespace, description, visibility, archived, lastActivityAt }) =>
      html`<a class="title" href="${ctx.url(fullPath)}">${nameWithNamespace}</a>
<span class="badge">${visibility}</span>${archived && html` <span class="badge">archived</span>`}
${description !== null && description !== '' && html`<p>${description}</p>`}
<span class="muted">Last activity ${day(lastActivityAt)}</span>`,
  })
