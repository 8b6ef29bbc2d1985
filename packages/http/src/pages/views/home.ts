import type { Reply } from '../../reply/reply.ts'
import { emptyList, pagination } from '../components/pagination.ts'
import { projectList } from '../components/project-list.ts'
import { html } from '../html.ts'
import { type PageContext, readPageNumber, type View } from '../page-context.ts'

const withoutSlash = (url: string) => url.replace(/\/+$/, '')

/** Visitors who are not signed in leave for the home page of the site, unless it is this page. */
const redirectVisitor = async ({ viewer, service, siteUrl }: PageContext): Promise<Reply | undefined> => {
  if (viewer !== undefined) return undefined
  const { homePageUrl } = await service.passwords.getPageSettings()
  if (!homePageUrl || withoutSlash(homePageUrl) === withoutSlash(siteUrl)) return undefined
  return { status: 302, headers: { Location: homePageUrl } }
}

/** Projects and groups that the visitor can see. */
export const view: View = async (ctx) => {
  const redirect = await redirectVisitor(ctx)
  if (redirect) return redirect
  const search = ctx.query.get('search') ?? ''
  const filter = search === '' ? {} : { search }
  const [projects, groups] = await Promise.all([
    ctx.session.projects.list({ ...filter, orderBy: 'last_activity_at', page: readPageNumber(ctx) }),
    ctx.session.groups.list({ ...filter, topLevelOnly: true, page: readPageNumber(ctx, 'groups_page') }),
  ])
  const body = html`<h1>Projects</h1>
<form class="filters" role="search"><label>Search <input type="search" name="search" value="${search}"></label> <button type="submit">Search</button></form>
${projectList(ctx, projects)}
<h2>Groups</h2>
${
  groups.items.length === 0
    ? emptyList('No groups.')
    : html`<ul class="rows">${groups.items.map(
        ({ fullPath, fullName, description, visibility }) =>
          html`<li><a class="title" href="${ctx.url('groups', fullPath)}">${fullName}</a> <span class="badge">${visibility}</span>${description !== '' && html`<p>${description}</p>`}</li>`,
      )}</ul>${pagination(ctx, groups, 'groups_page')}`
}`
  return { title: 'Projects', body }
}
