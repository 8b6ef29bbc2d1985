import { groupList } from '../components/group-list.ts'
import { groupPage } from '../components/group-page.ts'
import { ifPermitted } from '../components/permitted.ts'
import { projectList } from '../components/project-list.ts'
import { count, section, total } from '../components/rows.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** Subgroups, projects and the number of members of a group. */
export const view: View = async (ctx, { group = '' }) => {
  const [details, subgroups, projects, members] = await Promise.all([
    ctx.session.groups.get({ group, withProjects: false }),
    ctx.session.groups.list({ parent: group, allAvailable: true, page: readPageNumber(ctx, 'groups_page') }),
    ctx.session.projects.list({ group, page: readPageNumber(ctx) }),
    ifPermitted(ctx.session.members.list({ group, perPage: 1, inherited: true })),
  ])
  const { fullPath, name, visibility, description } = details
  const memberLink =
    members?.total !== undefined &&
    html` <a href="${ctx.url('groups', fullPath, '-/group_members')}">${count(members.total, 'member')}</a>`
  const content = html`<h1>${name}</h1>
<p><span class="badge">${visibility}</span>${memberLink}</p>
${description !== '' && html`<p>${description}</p>`}
${section('subgroups', html`Subgroups${total(subgroups)}`, groupList(ctx, subgroups, 'name'))}
${section('projects', html`Projects${total(projects)}`, projectList(ctx, projects))}`
  return { title: details.fullName, body: groupPage(ctx, fullPath, 'group', content) }
}
