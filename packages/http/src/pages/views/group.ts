import { isPlatformError } from '@forgelet/core'
import { groupPage } from '../components/group-page.ts'
import { emptyList, pagination } from '../components/pagination.ts'
import { projectList } from '../components/project-list.ts'
import { html } from '../html.ts'
import { type PageContext, readPageNumber, type View } from '../page-context.ts'

/** Undefined for visitors who cannot list members. */
const countMembers = async ({ session }: PageContext, group: string): Promise<number | undefined> => {
  try {
    return (await session.members.list({ group, perPage: 1, inherited: true })).total
  } catch (error) {
    if (isPlatformError(error) && (error.code === 'unauthenticated' || error.code === 'forbidden')) return undefined
    throw error
  }
}

/** Subgroups, projects and the number of members of a group. */
export const view: View = async (ctx, { group = '' }) => {
  const [details, subgroups, projects, members] = await Promise.all([
    ctx.session.groups.get({ group, withProjects: false }),
    ctx.session.groups.list({ parent: group, allAvailable: true, page: readPageNumber(ctx, 'groups_page') }),
    ctx.session.projects.list({ group, page: readPageNumber(ctx) }),
    countMembers(ctx, group),
  ])
  const content = html`<h1>${details.name}</h1>
<p><span class="badge">${details.visibility}</span>${members !== undefined && html` <span class="muted">${members} ${members === 1 ? 'member' : 'members'}</span>`}</p>
${details.description !== '' && html`<p>${details.description}</p>`}
<h2>Subgroups</h2>
${
  subgroups.items.length === 0
    ? emptyList('No subgroups.')
    : html`<ul class="rows">${subgroups.items.map(
        ({ fullPath, name, visibility }) =>
          html`<li><a class="title" href="${ctx.url('groups', fullPath)}">${name}</a> <span class="badge">${visibility}</span></li>`,
      )}</ul>${pagination(ctx, subgroups, 'groups_page')}`
}
<h2>Projects</h2>
${projectList(ctx, projects)}`
  return { title: details.fullName, body: groupPage(ctx, details.fullPath, 'group', content) }
}
