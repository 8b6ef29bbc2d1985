import { describe } from 'vitest'
import { everyRouteOf, permissionTable } from './matrix.ts'

const url = 'https://errors.example.com'

describe('dependencies and error tracking', () => {
  permissionTable(
    `
    call                                       anonymous non-member  guest       reporter developer maintainer owner admin
    GET   /projects/:id/dependencies           401       200·200·404 200·200·403 200      200       200        200   200
    GET   /projects/:id/dependencies/files     401       200·200·404 200·200·403 200      200       200        200   200
    GET   /projects/:id/error_tracking/settings 401      403·403·404 403         403      403       200        200   200
    PATCH /projects/:id/error_tracking/settings 401      403·403·404 403         403      403       200        200   200
    `,
    {
      project: () => ({ errorTracking: [{ projectName: 'Code', trackerExternalUrl: url, apiUrl: url }] }),
      bodies: { 'PATCH /projects/:id/error_tracking/settings': { active: false } },
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

everyRouteOf('dependencies', 'error tracking')
