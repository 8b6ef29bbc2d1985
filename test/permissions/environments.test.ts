import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type TableOptions, type Target, visibilities } from './matrix.ts'

const at = ({ visibility }: Target) => visibilities.indexOf(visibility) + 1
const sha = 'a'.repeat(40)

const options: TableOptions = {
  project: () => ({
    environments: [{ name: 'production', deployments: [{ user: 'developer', sha }] }],
    protectedEnvironments: [{ name: 'production', levels: [40] }],
  }),
  path: { deployment_id: at, environment_id: at, name: () => 'production' },
  bodies: {
    'POST /projects/:id/environments': { name: 'staging' },
    'POST /projects/:id/environments/stop_stale': () => ({
      before: new Date(Date.now() - 30 * 86_400_000).toISOString(),
    }),
    'POST /projects/:id/deployments': { environment: 'staging', sha, ref: 'main', status: 'success' },
    'PUT /projects/:id/deployments/:deployment_id': { status: 'failed' },
    'PUT /projects/:id/environments/:environment_id': { name: 'staging' },
    'POST /projects/:id/protected_environments': { name: 'staging', deploy_access_levels: [{ access_level: 30 }] },
  },
}

describe('environments', () => {
  permissionTable(
    `
    call                                                   anonymous non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/environments                      401       403·403·404 403   200      200       200        200   200
    GET    /projects/:id/environments/:environment_id      401       403·403·404 403   200      200       200        200   200
    POST   /projects/:id/environments                      401       403·403·404 403   403      201       201        201   201
    PUT    /projects/:id/environments/:environment_id      401       403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/environments/:environment_id      401       403·403·404 403   403      403       204        204   204
    POST   /projects/:id/environments/stop_stale           401       403·403·404 403   403      200       200        200   200
    DELETE /projects/:id/environments/review_apps          401       403·403·404 403   403      200       200        200   200
    POST   /projects/:id/environments/:environment_id/stop 401       403·403·404 403   403      403       200        200   200

    GET    /projects/:id/deployments                       401       403·403·404 403   200      200       200        200   200
    GET    /projects/:id/deployments/:deployment_id        401       403·403·404 403   200      200       200        200   200
    GET    /projects/:id/deployments/:deployment_id/merge_requests 401 403·403·404 403 200   200       200        200   200
    POST   /projects/:id/deployments                       401       403·403·404 403   403      201       201        201   201
    PUT    /projects/:id/deployments/:deployment_id        401       403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/deployments/:deployment_id        401       403·403·404 403   403      403       204        204   204

    GET    /projects/:id/protected_environments            401       403·403·404 403   403      403       200        200   200
    GET    /projects/:id/protected_environments/:name      401       403·403·404 403   403      403       200        200   200
    POST   /projects/:id/protected_environments            401       403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/protected_environments/:name      401       403·403·404 403   403      403       204        204   204
    `,
    options,
  )
})

describe('a protected environment for a user without access', () => {
  permissionTable(
    `
    call                                                   anonymous non-member  guest reporter developer maintainer owner admin
    POST   /projects/:id/protected_environments            401       403·403·404 403   403      403       422        422   422
    `,
    {
      users: ['outsider'],
      bodies: {
        'POST /projects/:id/protected_environments': ({ users }) => ({
          name: 'staging',
          deploy_access_levels: [{ user_id: users.outsider }],
        }),
      },
    },
  )
})

describe('environments of an archived project', () => {
  permissionTable(
    `
    call                                                   anonymous non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/environments/:environment_id      401       403·403·404 403   200      200       200        200   200
    POST   /projects/:id/environments                      401       403·403·404 403   403      403       403        403   403
    PUT    /projects/:id/environments/:environment_id      401       403·403·404 403   403      403       403        403   403
    DELETE /projects/:id/environments/:environment_id      401       403·403·404 403   403      403       403        403   403
    POST   /projects/:id/environments/:environment_id/stop 401       403·403·404 403   403      403       403        403   403
    `,
    { ...options, project: () => ({ environments: [{ name: 'production' }], archived: true }) },
  )
})

describe('approvals of deployments', () =>
  permissionTable('POST /projects/:id/deployments/:deployment_id/approval 401 403·403·404 403 400 400 201 201 201', {
    prepare: async ({ host }) => {
      const protection = {
        deployAccessLevels: [{ accessLevel: 30 as const }],
        approvalRules: [{ accessLevel: 40 as const, requiredApprovals: 9 }],
      }
      for (const visibility of visibilities) {
        const project = `${visibility}/code`
        await host.protectedEnvironments.create({ project, name: 'production', ...protection })
        const jobs = [{ name: 'deploy', environment: 'production' }]
        await host.pipelines.record({ project, ref: 'main', sha, jobs })
      }
    },
    path: { deployment_id: at },
    bodies: { 'POST /projects/:id/deployments/:deployment_id/approval': { status: 'approved' } },
  }))

everyRouteOf('deployments', 'environments', 'protected environments')
