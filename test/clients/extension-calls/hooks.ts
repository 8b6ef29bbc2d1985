import { byAdmin, byOwner, type ClientCalls, type ClientWorld, noCall, type UnsupportedRoutes } from './client-world.ts'

const url = 'https://93.184.216.34/hook'
const projectHook = async ({ host, project }: ClientWorld) => (await host.hooks.create({ project, url })).id
const groupHook = async ({ host, group }: ClientWorld) => (await host.hooks.create({ group, url })).id
const systemHook = async ({ host }: ClientWorld) => (await host.hooks.create({ url })).id

/** Webhooks of projects, groups and the instance. */
export const hookCalls: ClientCalls = {
  'GET /projects/:id/hooks': byOwner(({ ProjectHooks }) => ProjectHooks.all('acme/web')),
  'POST /projects/:id/hooks': byOwner(({ ProjectHooks }) => ProjectHooks.add('acme/web', url)),
  'GET /projects/:id/hooks/:hook_id': byOwner(async ({ ProjectHooks }, world) =>
    ProjectHooks.show('acme/web', await projectHook(world)),
  ),
  'PUT /projects/:id/hooks/:hook_id': byOwner(async ({ ProjectHooks }, world) =>
    ProjectHooks.edit('acme/web', await projectHook(world), url, { tagPushEvents: true }),
  ),
  'DELETE /projects/:id/hooks/:hook_id': byOwner(async ({ ProjectHooks }, world) =>
    ProjectHooks.remove('acme/web', await projectHook(world)),
  ),
  'GET /groups/:id/hooks': byOwner(({ GroupHooks }) => GroupHooks.all('acme')),
  'POST /groups/:id/hooks': byOwner(({ GroupHooks }) => GroupHooks.add('acme', url)),
  'GET /groups/:id/hooks/:hook_id': byOwner(async ({ GroupHooks }, world) =>
    GroupHooks.show('acme', await groupHook(world)),
  ),
  'PUT /groups/:id/hooks/:hook_id': byOwner(async ({ GroupHooks }, world) =>
    GroupHooks.edit('acme', await groupHook(world), url, { tagPushEvents: true }),
  ),
  'DELETE /groups/:id/hooks/:hook_id': byOwner(async ({ GroupHooks }, world) =>
    GroupHooks.remove('acme', await groupHook(world)),
  ),
  'GET /hooks': byAdmin(({ SystemHooks }) => SystemHooks.all()),
  'POST /hooks': byAdmin(({ SystemHooks }) => SystemHooks.create(url)),
  'DELETE /hooks/:hook_id': byAdmin(async ({ SystemHooks }, world) => SystemHooks.remove(await systemHook(world))),
}

const secretPaths = ['/projects/:id/hooks', '/groups/:id/hooks', '/hooks'].flatMap((base) =>
  ['custom_headers', 'url_variables'].map((name) => `${base}/:hook_id/${name}/:key`),
)

export const unsupportedHookRoutes: UnsupportedRoutes = {
  ...Object.fromEntries(secretPaths.flatMap((path) => [`PUT ${path}`, `DELETE ${path}`]).map((line) => [line, noCall])),
  'GET /hooks/:hook_id': 'the client sends POST',
  'POST /hooks/:hook_id': 'the client has the call for showing a hook',
  'PUT /hooks/:hook_id': noCall,
  'GET /projects/:id/hooks/:hook_id/events': noCall,
  'POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend': noCall,
  'POST /projects/:id/hooks/:hook_id/test/:trigger': noCall,
  'GET /groups/:id/hooks/:hook_id/events': noCall,
  'POST /groups/:id/hooks/:hook_id/events/:hook_event_id/resend': noCall,
  'POST /groups/:id/hooks/:hook_id/test/:trigger': noCall,
}
