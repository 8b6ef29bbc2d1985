import { describe } from 'vitest'
import { everyRouteOf, permissionTable } from './matrix.ts'

describe('issue statistics', () => {
  permissionTable(
    `
    call                                anonymous non-member  guest reporter developer maintainer owner admin
    GET /issues_statistics              401       200         200   200      200       200        200   200
    GET /groups/:id/issues_statistics   401       200·200·404 200   200      200       200        200   200
    GET /projects/:id/issues_statistics 401       200·200·404 200   200      200       200        200   200
    `,
  )
})

everyRouteOf('issue statistics')
