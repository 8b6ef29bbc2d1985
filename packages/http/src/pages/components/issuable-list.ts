import type { Page } from '@forgelet/core'
import type { Issue, MergeRequest } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { type LabelColors, labelList } from './label.ts'
import { emptyList, pagination } from './pagination.ts'
import { day } from './time.ts'
import { userLink, userLinks } from './user.ts'

/** Differences between issues and merge requests. */
interface IssuableKind {
  readonly sign: '#' | '!'
  readonly segment: 'issues' | 'merge_requests'
}

export const issueKind: IssuableKind = { sign: '#', segment: 'issues' }
export const mergeRequestKind: IssuableKind = { sign: '!', segment: 'merge_requests' }

const stateNames = { opened: 'Open', closed: 'Closed', merged: 'Merged', active: 'Active' } as const

/** The state of an issue, a merge request, an epic or a milestone. */
export const stateBadge = (state: keyof typeof stateNames): Html =>
  html`<span class="badge state-${state}">${stateNames[state]}</span>`

/** A page of issues or merge requests. */
export const issuableList = (
  ctx: PageContext,
  page: Page<Issue | MergeRequest>,
  { sign, segment }: IssuableKind,
  colors: LabelColors,
): Html =>
  page.items.length === 0
    ? emptyList('No matching entries.')
    : html`<ul class="rows">${page.items.map(
        (item) => html`<li>${stateBadge(item.state)}
<a class="title" href="${ctx.url(item.projectPath, '-', segment, item.iid)}">${item.title}</a>
${labelList({ names: item.labels, colors, listUrl: ctx.url(item.projectPath, '-', segment) })}
<p class="muted">${sign}${item.iid} by ${userLink(ctx, item.author)}, ${day(item.createdAt)}${item.userNotesCount > 0 && html` · ${item.userNotesCount} ${item.userNotesCount === 1 ? 'comment' : 'comments'}`}</p></li>`,
      )}</ul>${pagination(ctx, page)}`

/** The filters of a list, as a form that changes the query. */
export const filterForm = (
  ctx: PageContext,
  { states, hasLabels }: { readonly states: readonly (keyof typeof stateNames)[]; readonly hasLabels: boolean },
): Html => {
  const state = ctx.query.get('state') ?? 'opened'
  return html`<form class="filters" role="search">
<label>State <select name="state">${[...states, 'all' as const].map(
    (name) =>
      html`<option value="${name}"${name === state && html` selected`}>${name === 'all' ? 'All' : stateNames[name]}</option>`,
  )}</select></label>
<label>Search <input type="search" name="search" value="${ctx.query.get('search') ?? ''}"></label>
${hasLabels && html`<label>Label <input name="label" value="${ctx.query.get('label') ?? ''}"></label>`}
<button type="submit">Filter</button>
</form>`
}

/** A milestone of the project is a link; those of groups above are names, because the path of their group is unknown. */
const milestoneLink = (ctx: PageContext, { milestone, projectPath }: Issue | MergeRequest): Html | string => {
  if (milestone === null) return 'None'
  const { title, iid, projectId } = milestone
  return projectId === null ? title : html`<a href="${ctx.url(projectPath, '-/milestones', iid)}">${title}</a>`
}

/** Details that issues and merge requests share. */
export const issuableDetails = (
  ctx: PageContext,
  item: Issue | MergeRequest,
  colors: LabelColors,
  kind: IssuableKind,
): Html =>
  html`<dl class="details">
<div><dt>Author</dt><dd>${userLink(ctx, item.author)}, ${day(item.createdAt)}</dd></div>
<div><dt>Assignees</dt><dd>${item.assignees.length > 0 ? userLinks(ctx, item.assignees) : 'None'}</dd></div>
<div><dt>Labels</dt><dd>${labelList({ names: item.labels, colors, listUrl: ctx.url(item.projectPath, '-', kind.segment) }) || 'None'}</dd></div>
<div><dt>Milestone</dt><dd>${milestoneLink(ctx, item)}</dd></div>
${item.closedAt !== null && html`<div><dt>Closed</dt><dd>${day(item.closedAt)}${item.closedBy && html` by ${userLink(ctx, item.closedBy)}`}</dd></div>`}
</dl>`
