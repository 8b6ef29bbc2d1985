import { byAdmin, byOwner, type ClientCalls, type ClientWorld } from './client-world.ts'

const token = { name: 'robot', scopes: ['api' as const] }
const projectToken = async ({ host, project }: ClientWorld) =>
  (await host.accessTokens.create({ project, ...token })).id
const groupToken = async ({ host, group }: ClientWorld) => (await host.accessTokens.create({ group, ...token })).id
const deployToken = { name: 'cluster', scopes: ['read_repository' as const] }
const projectDeployToken = async ({ host, project }: ClientWorld) =>
  (await host.deployTokens.create({ project, ...deployToken })).id
const groupDeployToken = async ({ host, group }: ClientWorld) =>
  (await host.deployTokens.create({ group, ...deployToken })).id
const scopes = ['read_api'] as never
const expiresAt = '2999-01-01'

/** Access tokens and deploy tokens of projects and groups. */
export const tokenCalls: ClientCalls = {
  'GET /projects/:id/access_tokens': byOwner(({ ProjectAccessTokens }) => ProjectAccessTokens.all('acme/web')),
  'POST /projects/:id/access_tokens': byOwner(({ ProjectAccessTokens }) =>
    ProjectAccessTokens.create('acme/web', 'robot', scopes, expiresAt),
  ),
  'GET /projects/:id/access_tokens/:token_id': byOwner(async ({ ProjectAccessTokens }, world) =>
    ProjectAccessTokens.show('acme/web', await projectToken(world)),
  ),
  'DELETE /projects/:id/access_tokens/:token_id': byOwner(async ({ ProjectAccessTokens }, world) =>
    ProjectAccessTokens.revoke('acme/web', await projectToken(world)),
  ),
  'POST /projects/:id/access_tokens/:token_id/rotate': byOwner(async ({ ProjectAccessTokens }, world) =>
    ProjectAccessTokens.rotate('acme/web', await projectToken(world)),
  ),
  'GET /groups/:id/access_tokens': byOwner(({ GroupAccessTokens }) => GroupAccessTokens.all('acme')),
  'POST /groups/:id/access_tokens': byOwner(({ GroupAccessTokens }) =>
    GroupAccessTokens.create('acme', 'robot', scopes, expiresAt),
  ),
  'GET /groups/:id/access_tokens/:token_id': byOwner(async ({ GroupAccessTokens }, world) =>
    GroupAccessTokens.show('acme', await groupToken(world)),
  ),
  'DELETE /groups/:id/access_tokens/:token_id': byOwner(async ({ GroupAccessTokens }, world) =>
    GroupAccessTokens.revoke('acme', await groupToken(world)),
  ),
  'POST /groups/:id/access_tokens/:token_id/rotate': byOwner(async ({ GroupAccessTokens }, world) =>
    GroupAccessTokens.rotate('acme', await groupToken(world)),
  ),
  'GET /projects/:id/deploy_tokens': byOwner(({ DeployTokens }) => DeployTokens.all({ projectId: 'acme/web' })),
  'POST /projects/:id/deploy_tokens': byOwner(({ DeployTokens }) =>
    DeployTokens.create('cluster', deployToken.scopes, { projectId: 'acme/web' }),
  ),
  'GET /projects/:id/deploy_tokens/:token_id': byOwner(async ({ DeployTokens }, world) =>
    DeployTokens.show(await projectDeployToken(world), { projectId: 'acme/web' }),
  ),
  'DELETE /projects/:id/deploy_tokens/:token_id': byOwner(async ({ DeployTokens }, world) =>
    DeployTokens.remove(await projectDeployToken(world), { projectId: 'acme/web' }),
  ),
  'GET /groups/:id/deploy_tokens': byOwner(({ DeployTokens }) => DeployTokens.all({ groupId: 'acme' })),
  'POST /groups/:id/deploy_tokens': byOwner(({ DeployTokens }) =>
    DeployTokens.create('cluster', deployToken.scopes, { groupId: 'acme' }),
  ),
  'GET /groups/:id/deploy_tokens/:token_id': byOwner(async ({ DeployTokens }, world) =>
    DeployTokens.show(await groupDeployToken(world), { groupId: 'acme' }),
  ),
  'DELETE /groups/:id/deploy_tokens/:token_id': byOwner(async ({ DeployTokens }, world) =>
    DeployTokens.remove(await groupDeployToken(world), { groupId: 'acme' }),
  ),
  'GET /deploy_tokens': byAdmin(({ DeployTokens }) => DeployTokens.all()),
}
