import type { Page } from '@forgelet/core'
import type { Issue, MergeRequest } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { labelList, toLabelColors } from './label.ts'
import { count, rows } from './rows.ts'
import { day } from './time.ts'
import { userLink } from './user.ts'

/** Differences between issues and merge requests. */
export interface IssuableKind {
  readonly sign: '#' | '!'
  readonly segment: 'issues' | 'merge_requests'
}

export const issueKind: IssuableKind = { sign: '#', segment: 'issues' }
export const mergeRequestKind: IssuableKind = { sign: '!', segment: 'merge_requests' }

const stateNames = { opened: 'Open', closed: 'Closed', merged: 'Merged', active: 'Active' } as const

/** The state of an issue, a merge request, an epic or a milestone. */
export const stateBadge = (state: keyof typeof stateNames): Html =>
  html`<span class="badge state-${state}">${stateNames[state]}</span>`

interface IssuableListOptions<T> {
  /** The project of the page; items of others are shown with their project. */
  readonly project?: string | undefined
  /** The parameter of the query with the page number. Default: `page`. */
  readonly parameter?: string
  /** What is shown after the number of an item. */
  readonly note?: (item: T) => string
}

/** A page of issues or merge requests. */
export const issuableList = <T extends Issue | MergeRequest>(
  ctx: PageContext,
  page: Page<T>,
  { sign, segment }: IssuableKind,
  { project, parameter = 'page', note }: IssuableListOptions<T> = {},
): Html =>
  rows(ctx, page, {
    empty: 'No matching entries.',
    parameter,
    row: (item) => {
      const listUrl = ctx.url(item.projectPath, '-', segment)
      return html`${stateBadge(item.state)}
<a class="title" href="${ctx.url(item.projectPath, '-', segment, item.iid)}">${item.title}</a>
${labelList({ names: item.labels, colors: toLabelColors(item.labelDetails ?? []), listUrl })}
<p class="muted">${item.projectPath !== project && item.projectPath}${sign}${item.iid}${note && `, ${note(item)},`} by ${userLink(ctx, item.author)}, ${day(item.createdAt)}${item.userNotesCount > 0 && ` · ${count(item.userNotesCount, 'comment')}`}</p>`
    },
  })

/** The filters of a list, as a form that changes the query. */
export const filterForm = (ctx: PageContext, states: readonly (keyof typeof stateNames)[]): Html => {
  const state = ctx.query.get('state') ?? 'opened'
  return html`<form class="filters" role="search">
<label>State <select name="state">${[...states, 'all' as const].map(
    (name) =>
      html`<option value="${name}"${name === state && html` selected`}>${name === 'all' ? 'All' : stateNames[name]}</option>`,
  )}</select></label>
<label>Search <input type="search" name="search" value="${ctx.query.get('search') ?? ''}"></label>
<label>Label <input name="label" value="${ctx.query.get('label') ?? ''}"></label>
<button type="submit">Filter</button>
</form>`
}
