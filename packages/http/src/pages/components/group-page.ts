import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { breadcrumbs } from './project-page.ts'

export type GroupSection =
  | 'group'
  | 'epics'
  | 'issues'
  | 'merge_requests'
  | 'milestones'
  | 'labels'
  | 'packages'
  | 'wikis'
  | 'members'
  | 'other'

const sections: readonly (readonly [section: GroupSection, name: string, path?: string])[] = [
  ['group', 'Group'],
  ['members', 'Members', 'group_members'],
  ['epics', 'Epics'],
  ['issues', 'Issues'],
  ['merge_requests', 'Merge requests'],
  ['milestones', 'Milestones'],
  ['labels', 'Labels'],
  ['packages', 'Packages'],
  ['wikis', 'Wiki'],
]

/** The content of a page with the navigation of its group. */
export const groupPage = (ctx: PageContext, fullPath: string, section: GroupSection, content: Html): Html =>
  html`${breadcrumbs(ctx, fullPath, true)}
<nav class="sections" aria-label="Group"><ul>${sections
    .filter(([name]) => name !== 'members' || ctx.viewer !== undefined)
    .map(
      ([name, title, path = name]) =>
        html`<li><a href="${name === 'group' ? ctx.url('groups', fullPath) : ctx.url('groups', fullPath, '-', path)}"${name === section && html` aria-current="page"`}>${title}</a></li>`,
    )}</ul></nav>
${content}`
