import { describe } from 'vitest'
import { everyRouteOf, permissionTable } from './matrix.ts'

describe('search', () =>
  permissionTable(
    `
    call                                                  anonymous non-member  guest reporter developer maintainer owner admin
    GET /search?scope=projects&search=code                401       200         200   200      200       200        200   200
    GET /groups/:id/search?scope=projects&search=code     401       200·200·404 200   200      200       200        200   200
    GET /projects/:id/search?scope=issues&search=anything 401       200·200·404 200   200      200       200        200   200
    GET /projects/:id/search?scope=blobs&search=anything  401       200·200·404 200   200      200       200        200   200
    `,
  ))

everyRouteOf('search')
