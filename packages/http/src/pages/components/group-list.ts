import type { Page } from '@forgelet/core'
import type { GroupRecord } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { rows } from './rows.ts'

/** A page of groups, with links to the other pages. */
export const groupList = (ctx: PageContext, groups: Page<GroupRecord>, name: 'name' | 'fullName'): Html =>
  rows(ctx, groups, {
    empty: name === 'name' ? 'No subgroups.' : 'No groups.',
    parameter: 'groups_page',
    row: (group) =>
      html`<a class="title" href="${ctx.url('groups', group.fullPath)}">${group[name]}</a> <span class="badge">${group.visibility}</span>${group.description !== '' && html`<p>${group.description}</p>`}`,
  })
