import { formatLevel } from '@forgelet/core/operations'
import { loadContainer } from '../components/container.ts'
import { renderTexts } from '../components/markdown.ts'
import { rows } from '../components/rows.ts'
import { day } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { readLevel } from '../components/visitor-level.ts'
import { html } from '../html.ts'
import { type PageContext, readPageNumber, type View } from '../page-context.ts'

/** Maintainers add members to a project, and owners to a group. */
const canAdd = async (ctx: PageContext, project: string | undefined): Promise<boolean> =>
  ctx.viewer?.admin === true || (await readLevel(ctx)) >= (project === undefined ? 50 : 40)

/** The members of a project or a group, also those of the groups above, with their levels. */
export const view: View = async (ctx, parameters) => {
  const container = await loadContainer(ctx, parameters)
  const query = ctx.query.get('search') ?? ''
  const members = await ctx.session.members.list({
    ...container.reference,
    inherited: true,
    ...(query !== '' && { query }),
    page: readPageNumber(ctx),
  })
  const { appearance } = await ctx.readSettings()
  const [guidelines] = (await canAdd(ctx, container.project))
    ? await renderTexts(ctx, [appearance.memberGuidelines])
    : []
  const content = html`<h1>Members</h1>
${guidelines && html`<div class="markdown">${guidelines}</div>`}
<form class="filters" role="search"><label>Search <input type="search" name="search" value="${query}"></label> <button type="submit">Search</button></form>
${rows(ctx, members, {
  empty: 'No members.',
  row: ({ name, username, state, accessLevel, createdAt, createdBy, expiresAt }) =>
    html`${userLink(ctx, { name, username })} <span class="muted">@${username}</span> <span class="badge">${formatLevel(accessLevel)}</span>${state !== 'active' && html` <span class="badge">${state}</span>`}
<p class="muted">Since ${day(createdAt)}${createdBy !== null && html`, added by ${userLink(ctx, createdBy)}`}${expiresAt !== null && `, until ${expiresAt}`}</p>`,
})}`
  return { title: `Members · ${container.fullPath}`, body: container.page('members', content) }
}
