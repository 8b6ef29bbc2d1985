import { byAdmin, byOwner, type ClientCalls, type ClientWorld, type UnsupportedRoutes } from './client-world.ts'

const newKey = (name: ClientWorld['name']) => name('KEY').replace(/\W/g, '_')
const projectKey = async ({ host, project, name }: ClientWorld) =>
  (await host.ciVariables.create({ project, key: newKey(name), value: 'x' })).key
const groupKey = async ({ host, group, name }: ClientWorld) =>
  (await host.ciVariables.create({ group, key: newKey(name), value: 'x' })).key
const instanceKey = async ({ host, name }: ClientWorld) =>
  (await host.ciVariables.create({ key: newKey(name), value: 'x' })).key

/** Variables of pipelines. */
export const ciVariableCalls: ClientCalls = {
  'GET /projects/:id/variables': byOwner(({ ProjectVariables }) => ProjectVariables.all('acme/web')),
  'POST /projects/:id/variables': byOwner(({ ProjectVariables }, { name }) =>
    ProjectVariables.create('acme/web', newKey(name), 'x', { environmentScope: 'production' }),
  ),
  'GET /projects/:id/variables/:key': byOwner(async ({ ProjectVariables }, world) =>
    ProjectVariables.show('acme/web', await projectKey(world), { filter: { environment_scope: '*' } }),
  ),
  'PUT /projects/:id/variables/:key': byOwner(async ({ ProjectVariables }, world) =>
    ProjectVariables.edit('acme/web', await projectKey(world), 'y', { filter: { environment_scope: '*' } }),
  ),
  'DELETE /projects/:id/variables/:key': byOwner(async ({ ProjectVariables }, world) =>
    ProjectVariables.remove('acme/web', await projectKey(world)),
  ),
  'GET /groups/:id/variables': byOwner(({ GroupVariables }) => GroupVariables.all('acme')),
  'POST /groups/:id/variables': byOwner(({ GroupVariables }, { name }) =>
    GroupVariables.create('acme', newKey(name), 'x'),
  ),
  'GET /groups/:id/variables/:key': byOwner(async ({ GroupVariables }, world) =>
    GroupVariables.show('acme', await groupKey(world)),
  ),
  'PUT /groups/:id/variables/:key': byOwner(async ({ GroupVariables }, world) =>
    GroupVariables.edit('acme', await groupKey(world), 'y'),
  ),
  'DELETE /groups/:id/variables/:key': byOwner(async ({ GroupVariables }, world) =>
    GroupVariables.remove('acme', await groupKey(world)),
  ),
  'GET /admin/ci/variables': byAdmin(({ InstanceLevelCICDVariables }) => InstanceLevelCICDVariables.all()),
  'POST /admin/ci/variables': byAdmin(({ InstanceLevelCICDVariables }, { name }) =>
    InstanceLevelCICDVariables.create(newKey(name), 'x'),
  ),
  'GET /admin/ci/variables/:key': byAdmin(async ({ InstanceLevelCICDVariables }, world) =>
    InstanceLevelCICDVariables.show(await instanceKey(world)),
  ),
  'PUT /admin/ci/variables/:key': byAdmin(async ({ InstanceLevelCICDVariables }, world) =>
    InstanceLevelCICDVariables.edit(await instanceKey(world), 'y'),
  ),
}

export const unsupportedCiVariableRoutes: UnsupportedRoutes = {
  'DELETE /admin/ci/variables/:key': 'the client sends GET',
}
