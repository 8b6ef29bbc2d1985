import { byAdmin, byOwner, byUser, type ClientCall, type ClientCalls, type UnsupportedRoutes } from './client-world.ts'

/** The milestone calls of projects or of groups. */
const milestoneCallsOf = (kind: 'projects' | 'groups'): ClientCalls => {
  const base = `/${kind}/:id/milestones`
  const parent = kind === 'projects' ? 'acme/web' : 'acme'
  type Api = Parameters<ClientCall['call']>[0]
  type World = Parameters<ClientCall['call']>[1]
  const milestones = (api: Api) => (kind === 'projects' ? api.ProjectMilestones : api.GroupMilestones)
  const create = ({ milestone, project, group }: World) => milestone(kind === 'projects' ? { project } : { group })
  return {
    [`GET ${base}`]: byOwner((api) => milestones(api).all(parent, { state: 'active' })),
    [`POST ${base}`]: byOwner((api, { name }) => milestones(api).create(parent, name('milestone'))),
    [`GET ${base}/:milestone_id`]: byOwner(async (api, world) => milestones(api).show(parent, await create(world))),
    [`PUT ${base}/:milestone_id`]: byOwner(async (api, world) =>
      milestones(api).edit(parent, await create(world), { stateEvent: 'close' }),
    ),
    [`DELETE ${base}/:milestone_id`]: byOwner(async (api, world) =>
      milestones(api).remove(parent, await create(world)),
    ),
    [`GET ${base}/:milestone_id/issues`]: byOwner(async (api, world) =>
      milestones(api).allAssignedIssues(parent, await create(world)),
    ),
    [`GET ${base}/:milestone_id/merge_requests`]: byOwner(async (api, world) =>
      milestones(api).allAssignedMergeRequests(parent, await create(world)),
    ),
    [`GET ${base}/:milestone_id/burndown_events`]: byOwner(async (api, world) =>
      milestones(api).allBurndownChartEvents(parent, await create(world)),
    ),
  }
}

const snippetFile = { files: [{ filePath: 'a.txt', content: 'x' }], visibility: 'private' }

/** Milestones, epics, snippets, deployments, releases and search. */
export const planningCalls: ClientCalls = {
  ...milestoneCallsOf('projects'),
  ...milestoneCallsOf('groups'),
  'POST /projects/:id/milestones/:milestone_id/promote': byOwner(
    async ({ ProjectMilestones }, { milestone, project }) =>
      ProjectMilestones.promote('acme/web', await milestone({ project })),
  ),
  'GET /groups/:id/epics': byOwner(({ Epics }) => Epics.all('acme')),
  'POST /groups/:id/epics': byOwner(({ Epics }) => Epics.create('acme', 'Rewrite')),
  'GET /groups/:id/epics/:epic_iid': byOwner(async ({ Epics }, { epic }) => Epics.show('acme', (await epic()).iid)),
  'PUT /groups/:id/epics/:epic_iid': byOwner(async ({ Epics }, { epic }) =>
    Epics.edit('acme', (await epic()).iid, { title: 'Other' }),
  ),
  'DELETE /groups/:id/epics/:epic_iid': byOwner(async ({ Epics }, { epic }) =>
    Epics.remove('acme', (await epic()).iid),
  ),
  'GET /groups/:id/epics/:epic_iid/issues': byOwner(async ({ EpicIssues }, { epic }) =>
    EpicIssues.all('acme', (await epic()).iid),
  ),
  'POST /groups/:id/epics/:epic_iid/issues/:epic_issue_id': byOwner(
    async ({ EpicIssues }, { epic, host, issue, project }) => {
      const { id } = await host.issues.get({ project, issue: await issue() })
      return EpicIssues.assign('acme', (await epic()).iid, id)
    },
  ),
  'PUT /groups/:id/epics/:epic_iid/issues/:epic_issue_id': byOwner(async ({ EpicIssues }, { epicIssue }) => {
    const { epic, id } = await epicIssue()
    return EpicIssues.edit('acme', epic.iid, id, {})
  }),
  'DELETE /groups/:id/epics/:epic_iid/issues/:epic_issue_id': byOwner(async ({ EpicIssues }, { epicIssue }) => {
    const { epic, id } = await epicIssue()
    return EpicIssues.remove('acme', epic.iid, id)
  }),
  'GET /projects/:id/snippets': byOwner(({ ProjectSnippets }) => ProjectSnippets.all('acme/web')),
  'POST /projects/:id/snippets': byOwner(({ ProjectSnippets }) =>
    ProjectSnippets.create('acme/web', 'Notes', snippetFile as never),
  ),
  'GET /projects/:id/snippets/:snippet_id': byOwner(async ({ ProjectSnippets }, { snippet }) =>
    ProjectSnippets.show('acme/web', await snippet()),
  ),
  'GET /projects/:id/snippets/:snippet_id/raw': byOwner(async ({ ProjectSnippets }, { snippet }) =>
    ProjectSnippets.showContent('acme/web', await snippet()),
  ),
  'GET /projects/:id/snippets/:snippet_id/user_agent_detail': byAdmin(
    async ({ ProjectSnippets }, { snippetOfRequest }) =>
      ProjectSnippets.showUserAgentDetails('acme/web', await snippetOfRequest()),
  ),
  'PUT /projects/:id/snippets/:snippet_id': byOwner(async ({ ProjectSnippets }, { snippet }) =>
    ProjectSnippets.edit('acme/web', await snippet(), { title: 'Other' } as never),
  ),
  'DELETE /projects/:id/snippets/:snippet_id': byOwner(async ({ ProjectSnippets }, { snippet }) =>
    ProjectSnippets.remove('acme/web', await snippet()),
  ),
  'GET /projects/:id/deployments': byOwner(({ Deployments }) => Deployments.all('acme/web', { orderBy: 'id' })),
  'POST /projects/:id/deployments': byOwner(async ({ Deployments }, { environment, head }) =>
    Deployments.create('acme/web', await environment(), head, 'main', false, { status: 'running' } as never),
  ),
  'GET /projects/:id/deployments/:deployment_id': byOwner(async ({ Deployments }, { deployment }) =>
    Deployments.show('acme/web', await deployment()),
  ),
  'PUT /projects/:id/deployments/:deployment_id': byOwner(async ({ Deployments }, { deployment }) =>
    Deployments.edit('acme/web', await deployment(), 'success'),
  ),
  'POST /projects/:id/deployments/:deployment_id/approval': byOwner(async ({ Deployments }, { blockedDeployment }) =>
    Deployments.setApproval('acme/web', await blockedDeployment(), 'approved', { comment: 'Tested' }),
  ),
  'GET /projects/:id/deployments/:deployment_id/merge_requests': byOwner(async ({ Deployments }, { deployment }) =>
    Deployments.allMergeRequests('acme/web', await deployment(), { state: 'merged' }),
  ),
  'DELETE /projects/:id/deployments/:deployment_id': byOwner(async ({ Deployments }, { deployment }) =>
    Deployments.remove('acme/web', await deployment()),
  ),
  'GET /projects/:id/releases': byOwner(({ ProjectReleases }) => ProjectReleases.all('acme/web')),
  'POST /projects/:id/releases': byOwner(({ ProjectReleases }, { name }) =>
    ProjectReleases.create('acme/web', { tagName: name('v'), ref: 'main', description: 'New' }),
  ),
  'GET /projects/:id/releases/:tag_name': byOwner(async ({ ProjectReleases }, { release }) =>
    ProjectReleases.show('acme/web', await release()),
  ),
  'PUT /projects/:id/releases/:tag_name': byOwner(async ({ ProjectReleases }, { release }) =>
    ProjectReleases.edit('acme/web', await release(), { name: 'Other' }),
  ),
  'DELETE /projects/:id/releases/:tag_name': byOwner(async ({ ProjectReleases }, { release }) =>
    ProjectReleases.remove('acme/web', await release()),
  ),
  'GET /projects/:id/releases/:tag_name/assets/links': byOwner(async ({ ReleaseLinks }, { release }) =>
    ReleaseLinks.all('acme/web', await release()),
  ),
  'POST /projects/:id/releases/:tag_name/assets/links': byOwner(async ({ ReleaseLinks }, { release }) =>
    ReleaseLinks.create('acme/web', await release(), 'Site', 'https://example.com'),
  ),
  'GET /projects/:id/releases/:tag_name/assets/links/:link_id': byOwner(async ({ ReleaseLinks }, { releaseLink }) => {
    const { tagName, link } = await releaseLink()
    return ReleaseLinks.show('acme/web', tagName, link)
  }),
  'PUT /projects/:id/releases/:tag_name/assets/links/:link_id': byOwner(async ({ ReleaseLinks }, { releaseLink }) => {
    const { tagName, link } = await releaseLink()
    return ReleaseLinks.edit('acme/web', tagName, link, { name: 'Other' })
  }),
  'DELETE /projects/:id/releases/:tag_name/assets/links/:link_id': byOwner(
    async ({ ReleaseLinks }, { releaseLink }) => {
      const { tagName, link } = await releaseLink()
      return ReleaseLinks.remove('acme/web', tagName, link)
    },
  ),
  'GET /search': byUser(({ Search }) => Search.all('projects', 'web')),
  'GET /groups/:id/search': byOwner(({ Search }) => Search.all('issues', 'home', { groupId: 'acme' } as never)),
  'GET /projects/:id/search': byOwner(({ Search }) => Search.all('notes', 'Acme', { projectId: 'acme/web' } as never)),
}

export const unsupportedPlanningRoutes: UnsupportedRoutes = {
  'GET /groups/:id/epics/:epic_iid/epics': 'the client has no call for it',
  'POST /groups/:id/epics/:epic_iid/epics': 'the client has no call for it',
  'POST /groups/:id/epics/:epic_iid/epics/:child_epic_id': 'the client has no call for it',
  'PUT /groups/:id/epics/:epic_iid/epics/:child_epic_id': 'the client has no call for it',
  'DELETE /groups/:id/epics/:epic_iid/epics/:child_epic_id': 'the client has no call for it',
  'POST /groups/:id/epics/:epic_iid/todo': 'the client calls /todos instead of /todo',
}
