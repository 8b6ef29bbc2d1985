import { Readable } from 'node:stream'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'

const url = 'https://errors.example.com'

describe('dependencies and error tracking', () => {
  permissionTable(
    `
    call                                       anonymous non-member  guest       reporter developer maintainer owner admin
    GET   /projects/:id/dependencies           401       200·200·404 200·200·403 200      200       200        200   200
    GET   /projects/:id/dependencies/files     401       200·200·404 200·200·403 200      200       200        200   200
    GET   /projects/:id/error_tracking/settings 401      403·403·404 403         403      403       200        200   200
    PATCH /projects/:id/error_tracking/settings 401      403·403·404 403         403      403       200        200   200
    PUT   /projects/:id/error_tracking/settings 401      403·403·404 403         403      403       200        200   200
    GET   /projects/:id/error_tracking/client_keys 401   403·403·404 403         403      403       200        200   200
    POST  /projects/:id/error_tracking/client_keys 401   403·403·404 403         403      403       201        201   201
    DELETE /projects/:id/error_tracking/client_keys/:key_id 401 403·403·404 403  403      403       204        204   204
    GET   /projects/:id/error_tracking/errors  401       403·403·404 403         200      200       200        200   200
    PUT   /projects/:id/error_tracking/errors/:error_id 401 403·403·404 403      403      200       200        200   200
    `,
    {
      prepare: async ({ host }) => {
        for (const visibility of visibilities) {
          const project = `${visibility}/code`
          const { publicKey } = await host.errorTracking.createClientKey({ project })
          await host.errorTracking.set({ project, integrated: true })
          const content = Readable.from([Buffer.from('{"message":"Failed"}')])
          await host.errorTracking.collect({ project, publicKey, content, format: 'store' })
        }
      },
      path: {
        key_id: ({ visibility }) => visibilities.indexOf(visibility) + 1,
        error_id: ({ visibility }) => visibilities.indexOf(visibility) + 1,
      },
      project: () => ({ errorTracking: [{ projectName: 'Code', trackerExternalUrl: url, apiUrl: url }] }),
      bodies: {
        'PATCH /projects/:id/error_tracking/settings': { active: false },
        'PUT /projects/:id/error_tracking/settings': { active: true, integrated: true },
        'PUT /projects/:id/error_tracking/errors/:error_id': { status: 'resolved' },
      },
    },
  )
})

describe('dependencies of a repository restricted to members', () => {
  permissionTable(
    `
    call                                       anonymous non-member  guest       reporter developer maintainer owner admin
    GET   /projects/:id/dependencies           401       403·403·404 403         200      200       200        200   200
    `,
    { project: () => ({ repositoryAccessLevel: 'private' }) },
  )
})

describe('error tracking without configuration', () => {
  permissionTable(`
    call                                       anonymous non-member  guest reporter developer maintainer owner admin
    GET   /projects/:id/error_tracking/settings 401      403·403·404 403   403      403       404        404   404
    `)
})

/** Applications have a key of the project, and no user. */
describe('errors of applications', () =>
  permissionTable(
    ['envelope', 'store']
      .map((format) => `POST /error_tracking/collector/api/:project/${format}?sentry_key=key ${'200 '.repeat(8)}`)
      .join('\n'),
    {
      path: { project: ({ visibility }) => `${visibility}/code` },
      prepare: async ({ host }) => {
        for (const visibility of visibilities) {
          const project = `${visibility}/code`
          await host.errorTracking.set({ project, integrated: true })
          await host.errorTracking.createClientKey({ project, publicKey: 'key' })
        }
      },
      bodies: {
        'POST /error_tracking/collector/api/:project/envelope?sentry_key=key': {},
        'POST /error_tracking/collector/api/:project/store?sentry_key=key': {},
      },
    },
  ))

everyRouteOf('dependencies', 'error tracking')
