import { groupPage } from '../components/group-page.ts'
import { stateBadge } from '../components/issuable-list.ts'
import { emptyList, pagination } from '../components/pagination.ts'
import { day } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The epics of a group. */
export const view: View = async (ctx, { group = '' }) => {
  const [{ fullPath }, epics] = await Promise.all([
    ctx.session.groups.get({ group, withProjects: false }),
    ctx.session.epics.list({ group, page: readPageNumber(ctx) }),
  ])
  const content = html`<h1>Epics</h1>
${epics.items.length === 0 && emptyList('No epics.')}
<ul class="rows">${epics.items.map(
    (
      epic,
    ) => html`<li>${stateBadge(epic.state)} <a class="title" href="${ctx.url('groups', fullPath, '-/epics', epic.iid)}">${epic.title}</a>
<p class="muted">&amp;${epic.iid} by ${userLink(ctx, epic.author)}, ${day(epic.createdAt)}</p></li>`,
  )}</ul>${pagination(ctx, epics)}`
  return { title: `Epics · ${fullPath}`, body: groupPage(ctx, fullPath, 'epics', content) }
}
