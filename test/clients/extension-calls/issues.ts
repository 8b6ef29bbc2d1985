import {
  byAdmin,
  byOwner,
  byUser,
  type ClientCalls,
  type ClientWorld,
  noCall,
  type UnsupportedRoutes,
} from './client-world.ts'

const newLink = async ({ issue, alice, project }: ClientWorld) => {
  const [iid, targetIssue] = [await issue(), await issue()]
  const { id } = await alice.issueLinks.create({ project, issue: iid, targetProject: project, targetIssue })
  return { iid, id }
}

/** Issues, their links, subscriptions, times and to-dos. */
export const issueCalls: ClientCalls = {
  'GET /issues': byUser(({ Issues }) => Issues.all({ scope: 'all' })),
  'GET /issues/:id': byAdmin(async ({ Issues }, { host, project }) => {
    const { id } = await host.issues.get({ project, issue: 1 })
    return Issues.show(id)
  }),
  'GET /groups/:id/issues': byOwner(({ Issues }) => Issues.all({ groupId: 'acme' })),
  'GET /projects/:id/issues': byOwner(({ Issues }) => Issues.all({ projectId: 'acme/web', state: 'opened' })),
  'POST /projects/:id/issues': byOwner(({ Issues }) => Issues.create('acme/web', 'Crash', { labels: 'bug' })),
  'GET /projects/:id/issues/:issue_iid': byOwner(({ Issues }) => Issues.show(1, { projectId: 'acme/web' })),
  'PUT /projects/:id/issues/:issue_iid': byOwner(async ({ Issues }, { issue }) =>
    Issues.edit('acme/web', await issue(), { stateEvent: 'close' }),
  ),
  'DELETE /projects/:id/issues/:issue_iid': byOwner(async ({ Issues }, { issue }) =>
    Issues.remove('acme/web', await issue()),
  ),
  'POST /projects/:id/issues/:issue_iid/move': byOwner(async ({ Issues }, { issue, newProject }) =>
    Issues.move('acme/web', await issue(), await newProject()),
  ),
  'PUT /projects/:id/issues/:issue_iid/reorder': byOwner(async ({ Issues }, { host, issue, project }) => {
    const { id } = await host.issues.get({ project, issue: 1 })
    return Issues.reorder('acme/web', await issue(), { moveAfterId: id })
  }),
  'POST /projects/:id/issues/:issue_iid/clone': byOwner(async ({ Issues }, { issue, newProject }) =>
    Issues.clone('acme/web', await issue(), await newProject()),
  ),
  'GET /projects/:id/issues/:issue_iid/participants': byOwner(({ Issues }) => Issues.allParticipants('acme/web', 1)),
  'POST /projects/:id/issues/:issue_iid/subscribe': byOwner(({ Issues }) => Issues.subscribe('acme/web', 1)),
  'POST /projects/:id/issues/:issue_iid/unsubscribe': byOwner(async ({ Issues }, { issue }) =>
    Issues.unsubscribe('acme/web', await issue()),
  ),
  'POST /projects/:id/issues/:issue_iid/todo': byOwner(async ({ Issues }, { issue }) =>
    Issues.createTodo('acme/web', await issue()),
  ),
  'GET /projects/:id/issues/:issue_iid/related_merge_requests': byOwner(({ Issues }) =>
    Issues.allRelatedMergeRequests('acme/web', 1),
  ),
  'GET /projects/:id/issues/:issue_iid/closed_by': byOwner(({ Issues }) =>
    Issues.allClosedByMergeRequestst('acme/web', 1),
  ),
  'GET /projects/:id/issues/:issue_iid/time_stats': byOwner(({ Issues }) => Issues.showTimeStats('acme/web', 1)),
  'POST /projects/:id/issues/:issue_iid/time_estimate': byOwner(({ Issues }) =>
    Issues.addTimeEstimate('acme/web', 1, '3h30m'),
  ),
  'POST /projects/:id/issues/:issue_iid/reset_time_estimate': byOwner(({ Issues }) =>
    Issues.resetTimeEstimate('acme/web', 1),
  ),
  'POST /projects/:id/issues/:issue_iid/add_spent_time': byOwner(({ Issues }) =>
    Issues.addSpentTime('acme/web', 1, '1h', { summary: 'Research' }),
  ),
  'POST /projects/:id/issues/:issue_iid/reset_spent_time': byOwner(({ Issues }) =>
    Issues.resetSpentTime('acme/web', 1),
  ),
  'GET /projects/:id/issues/:issue_iid/links': byOwner(({ IssueLinks }) => IssueLinks.all('acme/web', 1)),
  'POST /projects/:id/issues/:issue_iid/links': byOwner(async ({ IssueLinks }, { issue }) =>
    IssueLinks.create('acme/web', await issue(), 'acme/web', (await issue()) as never, { linkType: 'blocks' }),
  ),
  'DELETE /projects/:id/issues/:issue_iid/links/:issue_link_id': byOwner(async ({ IssueLinks }, world) => {
    const { iid, id } = await newLink(world)
    return IssueLinks.remove('acme/web', iid, id)
  }),
}

export const unsupportedIssueRoutes: UnsupportedRoutes = {
  'GET /projects/:id/issues/:issue_iid/links/:issue_link_id': noCall,
}
