import { byOwner, type ClientCalls, type ClientWorld, type UnsupportedRoutes } from './client-world.ts'

const flag = async ({ host, name, project }: ClientWorld) =>
  (await host.featureFlags.create({ project, name: name('flag') })).name

const userList = async ({ host, name, project }: ClientWorld) =>
  (await host.featureFlagUserLists.create({ project, name: name('list'), userXids: 'user1' })).iid

const strategies = [{ name: 'default', parameters: {}, scopes: [{ environment_scope: '*' }] }]

/** Feature flags and their user lists, and error tracking. */
export const featureFlagCalls: ClientCalls = {
  'GET /projects/:id/feature_flags': byOwner(({ FeatureFlags }) => FeatureFlags.all('acme/web', { scope: 'enabled' })),
  'POST /projects/:id/feature_flags': byOwner(({ FeatureFlags }, { name }) =>
    FeatureFlags.create('acme/web', name('flag'), 'new_version_flag', { strategies } as never),
  ),
  'GET /projects/:id/feature_flags/:feature_flag_name': byOwner(async ({ FeatureFlags }, world) =>
    FeatureFlags.show('acme/web', await flag(world)),
  ),
  'PUT /projects/:id/feature_flags/:feature_flag_name': byOwner(async ({ FeatureFlags }, world) =>
    FeatureFlags.edit('acme/web', await flag(world), { active: false }),
  ),
  'DELETE /projects/:id/feature_flags/:feature_flag_name': byOwner(async ({ FeatureFlags }, world) =>
    FeatureFlags.remove('acme/web', await flag(world)),
  ),
  'GET /projects/:id/feature_flags_user_lists': byOwner(({ FeatureFlagUserLists }) =>
    FeatureFlagUserLists.all('acme/web', { search: 'list' }),
  ),
  'POST /projects/:id/feature_flags_user_lists': byOwner(({ FeatureFlagUserLists }, { name }) =>
    FeatureFlagUserLists.create('acme/web', name('list'), 'user1,user2'),
  ),
  'GET /projects/:id/feature_flags_user_lists/:iid': byOwner(async ({ FeatureFlagUserLists }, world) =>
    FeatureFlagUserLists.show('acme/web', await userList(world)),
  ),
  'PUT /projects/:id/feature_flags_user_lists/:iid': byOwner(async ({ FeatureFlagUserLists }, world) =>
    FeatureFlagUserLists.edit('acme/web', await userList(world), { name: world.name('list') }),
  ),
  'DELETE /projects/:id/feature_flags_user_lists/:iid': byOwner(async ({ FeatureFlagUserLists }, world) =>
    FeatureFlagUserLists.remove('acme/web', await userList(world)),
  ),
  'GET /projects/:id/error_tracking/client_keys': byOwner(({ ErrorTrackingClientKeys }) =>
    ErrorTrackingClientKeys.all('acme/web'),
  ),
  'POST /projects/:id/error_tracking/client_keys': byOwner(({ ErrorTrackingClientKeys }) =>
    ErrorTrackingClientKeys.create('acme/web'),
  ),
}

const unleash = 'Unleash clients call it, see test/clients/unleash.test.ts'

export const unsupportedFeatureFlagRoutes: UnsupportedRoutes = {
  'GET /feature_flags/unleash/:project_id/features': unleash,
  'GET /feature_flags/unleash/:project_id/client/features': unleash,
  'POST /feature_flags/unleash/:project_id/client/register': unleash,
  'POST /feature_flags/unleash/:project_id/client/metrics': unleash,
  'PUT /projects/:id/error_tracking/settings': 'the client has no call for it',
  'DELETE /projects/:id/error_tracking/client_keys/:key_id': 'the client sends no id',
  'GET /projects/:id/error_tracking/errors': 'the client has no call for it',
  'PUT /projects/:id/error_tracking/errors/:error_id': 'the client has no call for it',
  'POST /error_tracking/collector/api/:project_id/envelope':
    'clients of Sentry call it, see test/clients/sentry.test.ts',
  'POST /error_tracking/collector/api/:project_id/store': 'older clients of Sentry call it',
}
