import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type TableOptions, type Target, visibilities } from './matrix.ts'

const options: TableOptions = {
  project: () => ({ remoteMirrors: [{ url: 'https://example.com/x.git', enabled: true }] }),
  path: { mirror_id: ({ visibility }: Target) => visibilities.indexOf(visibility) + 1 },
  bodies: {
    'POST /projects/:id/remote_mirrors': { url: 'https://93.184.216.34/y.git' },
    'PUT /projects/:id/remote_mirrors/:mirror_id': { keep_divergent_refs: true },
  },
}

const table = `
  call                                           anonymous non-member  guest reporter developer maintainer owner admin
  GET    /projects/:id/remote_mirrors            401       403·403·404 403   403      403       200        200   200
  POST   /projects/:id/remote_mirrors            401       403·403·404 403   403      403       200        200   200
  PUT    /projects/:id/remote_mirrors/:mirror_id 401       403·403·404 403   403      403       200        200   200
  GET    /projects/:id/remote_mirrors/:mirror_id 401       403·403·404 403   403      403       200        200   200
  DELETE /projects/:id/remote_mirrors/:mirror_id 401       403·403·404 403   403      403       204        204   204
  POST /projects/:id/remote_mirrors/:mirror_id/sync 401    403·403·404 403   403      403       204        204   204
`

describe('remote mirrors', () => permissionTable(table, options))

describe('remote mirrors of an archived project', () =>
  permissionTable(table, {
    ...options,
    project: (visibility) => ({ ...options.project?.(visibility), archived: true }),
  }))

describe('pull mirrors', () =>
  permissionTable(
    `
    call                           anonymous non-member  guest reporter developer maintainer owner admin
    GET  /projects/:id/mirror/pull 401       403·403·404 403   403      403       200        200   200
    PUT  /projects/:id/mirror/pull 401       403·403·404 403   403      403       200        200   200
    POST /projects/:id/mirror/pull 401       403·403·404 403   403      403       200        200   200
    `,
    {
      prepare: async ({ host }) => {
        const mirror = { mirror: true, importUrl: 'https://93.184.216.34/y.git' }
        for (const visibility of visibilities) await host.projects.update({ project: `${visibility}/code`, ...mirror })
      },
      bodies: { 'PUT /projects/:id/mirror/pull': { mirror_trigger_builds: true } },
    },
  ))

everyRouteOf('remote mirrors', 'pull mirrors')
