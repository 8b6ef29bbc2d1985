import type { Reply } from '../../reply/reply.ts'
import { groupList } from '../components/group-list.ts'
import { projectList } from '../components/project-list.ts'
import { section } from '../components/rows.ts'
import { html } from '../html.ts'
import { type PageContext, readPageNumber, type View } from '../page-context.ts'

const withoutSlash = (url: string) => url.replace(/\/+$/, '')

/** Visitors who are not signed in leave for the home page of the site, unless it is this page. */
const redirectVisitor = async ({ viewer, readSettings, siteUrl }: PageContext): Promise<Reply | undefined> => {
  if (viewer !== undefined) return undefined
  const { homePageUrl } = await readSettings()
  if (!homePageUrl || withoutSlash(homePageUrl) === withoutSlash(siteUrl)) return undefined
  return { status: 302, headers: { Location: homePageUrl } }
}

/** Projects and groups that the visitor can see. */
export const view: View = async (ctx) => {
  const redirect = await redirectVisitor(ctx)
  if (redirect) return redirect
  const search = ctx.query.get('search') ?? ''
  const topic = ctx.query.getAll('topic').filter((name) => name !== '')
  const filter = search === '' ? {} : { search }
  const [projects, groups] = await Promise.all([
    ctx.session.projects.list({
      ...filter,
      ...(topic.length > 0 && { topic }),
      orderBy: 'last_activity_at',
      page: readPageNumber(ctx),
    }),
    ctx.session.groups.list({ ...filter, topLevelOnly: true, page: readPageNumber(ctx, 'groups_page') }),
  ])
  const body = html`<h1>Projects</h1>
<form class="filters" role="search"><label>Search <input type="search" name="search" value="${search}"></label> <button type="submit">Search</button></form>
${projectList(ctx, projects)}
${section('groups', 'Groups', groupList(ctx, groups, 'fullName'))}`
  return { title: 'Projects', body }
}
