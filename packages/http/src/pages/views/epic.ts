import { describeAndDiscuss, discussionsPerPage } from '../components/discussions.ts'
import { groupPage } from '../components/group-page.ts'
import { stateBadge } from '../components/issuable-list.ts'
import { day } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { html } from '../html.ts'
import { readNumber, readPageNumber, type View } from '../page-context.ts'

/** An epic with its description and comments. */
export const view: View = async (ctx, { group = '', iid }) => {
  const [{ fullPath }, epic] = await Promise.all([
    ctx.session.groups.get({ group, withProjects: false }),
    ctx.session.epics.get({ group, epic: readNumber(iid) }),
  ])
  const paging = { perPage: discussionsPerPage, page: readPageNumber(ctx) }
  const discussions = await ctx.session.discussions.list({ group, epicId: epic.id, ...paging })
  const { description, comments } = await describeAndDiscuss(ctx, epic.description, discussions)
  const content = html`<h1>${epic.title} <span class="muted">&amp;${epic.iid}</span></h1>
<p>${stateBadge(epic.state)}${epic.confidential && html` <span class="badge">confidential</span>`} <span class="muted">by ${userLink(ctx, epic.author)}, ${day(epic.createdAt)}</span></p>
${description}
${comments()}`
  return { title: `${epic.title} (&${epic.iid}) · ${fullPath}`, body: groupPage(ctx, fullPath, 'epics', content) }
}
