import { byOwner, type ClientCalls, type ClientWorld } from './client-world.ts'

/** Permits the job tokens of a new project and of a group, which the calls remove. */
const newTargets = async ({ host, project, group, name }: ClientWorld) => {
  const { id: targetProject } = await host.projects.create({ name: name('target'), namespace: 'acme' })
  await host.jobTokenScopes.addProject({ project, targetProject })
  const { items } = await host.jobTokenScopes.listGroups({ project })
  if (items.length === 0) await host.jobTokenScopes.addGroup({ project, targetGroup: group })
  return { targetProject, targetGroup: group }
}

const newProject = async ({ host, name }: ClientWorld) =>
  (await host.projects.create({ name: name('target'), namespace: 'acme' })).id

const newGroup = async ({ host, name }: ClientWorld) =>
  (await host.groups.create({ name: name('target'), path: name('target'), parent: 'acme' })).id

/** The scope of job tokens. */
export const jobTokenCalls: ClientCalls = {
  'GET /projects/:id/job_token_scope': byOwner(({ ProjectJobTokenScopes }) => ProjectJobTokenScopes.show('acme/web')),
  'PATCH /projects/:id/job_token_scope': byOwner(({ ProjectJobTokenScopes }) =>
    ProjectJobTokenScopes.edit('acme/web', true),
  ),
  'GET /projects/:id/job_token_scope/allowlist': byOwner(({ ProjectJobTokenScopes }) =>
    ProjectJobTokenScopes.showInboundAllowList('acme/web'),
  ),
  'POST /projects/:id/job_token_scope/allowlist': byOwner(async ({ ProjectJobTokenScopes }, world) =>
    ProjectJobTokenScopes.addToInboundAllowList('acme/web', await newProject(world)),
  ),
  'DELETE /projects/:id/job_token_scope/allowlist/:target_project_id': byOwner(
    async ({ ProjectJobTokenScopes }, world) =>
      ProjectJobTokenScopes.removeFromInboundAllowList('acme/web', (await newTargets(world)).targetProject),
  ),
  'GET /projects/:id/job_token_scope/groups_allowlist': byOwner(({ ProjectJobTokenScopes }) =>
    ProjectJobTokenScopes.showGroupsAllowList('acme/web'),
  ),
  'POST /projects/:id/job_token_scope/groups_allowlist': byOwner(async ({ ProjectJobTokenScopes }, world) =>
    ProjectJobTokenScopes.addToGroupsAllowList('acme/web', await newGroup(world)),
  ),
  'DELETE /projects/:id/job_token_scope/groups_allowlist/:target_group_id': byOwner(
    async ({ ProjectJobTokenScopes }, world) =>
      ProjectJobTokenScopes.removeFromGroupsAllowList('acme/web', (await newTargets(world)).targetGroup),
  ),
}
