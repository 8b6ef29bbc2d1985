import { describe } from 'vitest'
import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'

describe('feature flags', () =>
  permissionTable(
    `
    call                                                 anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/feature_flags                   401         403·403·404 403   403      200       200        200   200
    POST   /projects/:id/feature_flags                   401         403·403·404 403   403      201       201        201   201
    GET    /projects/:id/feature_flags/:feature_flag     401         403·403·404 403   403      200       200        200   200
    PUT    /projects/:id/feature_flags/:feature_flag     401         403·403·404 403   403      200       200        200   200
    DELETE /projects/:id/feature_flags/:feature_flag     401         403·403·404 403   403      204       204        204   204
    GET    /projects/:id/feature_flags_user_lists        401         403·403·404 403   403      200       200        200   200
    POST   /projects/:id/feature_flags_user_lists        401         403·403·404 403   403      201       201        201   201
    GET    /projects/:id/feature_flags_user_lists/:iid   401         403·403·404 403   403      200       200        200   200
    PUT    /projects/:id/feature_flags_user_lists/:iid   401         403·403·404 403   403      200       200        200   200
    DELETE /projects/:id/feature_flags_user_lists/:iid   401         403·403·404 403   403      204       204        204   204
    `,
    {
      path: { feature_flag: () => 'new-search', iid: () => 1 },
      prepare: async ({ host }) => {
        for (const visibility of visibilities) {
          const project = `${visibility}/code`
          await host.featureFlags.create({ project, name: 'new-search' })
          await host.featureFlagUserLists.create({ project, name: 'Testers', userXids: 'user1' })
        }
      },
      bodies: {
        'POST /projects/:id/feature_flags': { name: 'other', version: 'new_version_flag' },
        'PUT /projects/:id/feature_flags/:feature_flag': { active: false },
        'POST /projects/:id/feature_flags_user_lists': { name: 'Friends', user_xids: 'user2' },
        'PUT /projects/:id/feature_flags_user_lists/:iid': { name: 'Friends' },
      },
    },
  ))

const unleash = '/feature_flags/unleash/:project'
const query = '?instance_id=fgffct-secret'

/** Applications have the token of the project, and no user. */
describe('feature flags for applications', () =>
  permissionTable(
    [
      `GET ${unleash}/features${query}`,
      `GET ${unleash}/client/features${query}`,
      `POST ${unleash}/client/register${query}`,
      `POST ${unleash}/client/metrics${query}`,
    ]
      .map((call) => `${call} 200 200 200 200 200 200 200 200`)
      .join('\n'),
    {
      path: { project: ({ visibility }) => `${visibility}/code` },
      prepare: async ({ host }) => {
        for (const visibility of visibilities)
          await host.featureFlags.rotateClientToken({ project: `${visibility}/code`, secret: 'fgffct-secret' })
      },
    },
  ))

everyRouteOf('feature flags', 'feature flag user lists')
