import { type SearchPage, searchScopes } from '@forgelet/core/operations'
import { groupPage } from '../components/group-page.ts'
import { projectPage } from '../components/project-page.ts'
import { searchResults } from '../components/search-results.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

type Scope = SearchPage['scope']

const scopeNames: Readonly<Record<Scope, string>> = {
  projects: 'Projects',
  issues: 'Issues',
  merge_requests: 'Merge requests',
  milestones: 'Milestones',
  snippet_titles: 'Snippets',
  users: 'Users',
  notes: 'Comments',
  blobs: 'Code',
  commits: 'Commits',
}

/** The project or group of `project_id` or `group_id`; the instance without them. */
const readPlace = async ({ session, query }: PageContext) => {
  const [projectId, groupId] = [query.get('project_id'), query.get('group_id')]
  const project = projectId ? await session.projects.get({ project: readNumber(projectId) }) : undefined
  const group =
    groupId && !project ? await session.groups.get({ group: readNumber(groupId), withProjects: false }) : undefined
  return { project, group }
}

const scopeTabs = (ctx: PageContext, scopes: readonly Scope[], current: Scope): Html =>
  html`<nav class="sections" aria-label="Kind"><ul>${scopes.map((scope) => {
    const query = new URLSearchParams(ctx.query)
    query.delete('page')
    query.set('scope', scope)
    return html`<li><a href="${ctx.url('-/search')}?${query.toString()}"${scope === current && html` aria-current="page"`}>${scopeNames[scope]}</a></li>`
  })}</ul></nav>`

/** Finds items of one kind in all places, a group or a project. */
export const view: View = async (ctx) => {
  const { project, group } = await readPlace(ctx)
  const scopes: readonly Scope[] = project ? searchScopes.project : group ? searchScopes.group : searchScopes.instance
  const scope = scopes.find((name) => name === ctx.query.get('scope')) ?? scopes[0] ?? 'issues'
  const search = ctx.query.get('search')?.trim() ?? ''
  const place = project ? { project: project.id } : group ? { group: group.id } : {}
  const found =
    search === '' ? undefined : await ctx.session.search.list({ ...place, scope, search, page: readPageNumber(ctx) })
  const placeId = project ? ['project_id', project.id] : group ? ['group_id', group.id] : undefined
  const content = html`<h1>Search</h1>
<form class="filters" role="search"><input type="hidden" name="scope" value="${scope}">${placeId && html`<input type="hidden" name="${placeId[0]}" value="${placeId[1]}">`}
<label>Search <input type="search" name="search" value="${search}" required></label> <button type="submit">Search</button></form>
${search !== '' && scopeTabs(ctx, scopes, scope)}
${found && searchResults(ctx, found, project?.fullPath)}`
  const title = search === '' ? 'Search' : `Search for ${search}`
  if (project) return { title: `${title} · ${project.fullPath}`, body: projectPage(ctx, project, 'search', content) }
  if (group) return { title: `${title} · ${group.fullPath}`, body: groupPage(ctx, group.fullPath, 'other', content) }
  return { title, body: content }
}
