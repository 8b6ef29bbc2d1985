import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type TableOptions } from './matrix.ts'

const domain = ({ visibility }: { visibility: string }) => `${visibility}.example.com`

const options: TableOptions = {
  project: (visibility) => ({ pagesDomains: [{ domain: domain({ visibility }) }] }),
  path: { domain },
  bodies: {
    'POST /projects/:id/pages/domains': { domain: 'new.example.com' },
    'PUT /projects/:id/pages/domains/:domain': { auto_ssl_enabled: true },
  },
}

describe('pages domains', () => {
  permissionTable(
    `
    call                                       anonymous non-member  guest reporter developer maintainer owner admin
    GET    /pages/domains                      401       403         403   403      403       403        403   200
    GET    /projects/:id/pages/domains         401       403·403·404 403   403      403       200        200   200
    GET    /projects/:id/pages/domains/:domain 401       403·403·404 403   403      403       200        200   200
    POST   /projects/:id/pages/domains         401       403·403·404 403   403      403       200        200   200
    PUT    /projects/:id/pages/domains/:domain 401       403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/pages/domains/:domain 401       403·403·404 403   403      403       204        204   204
    `,
    options,
  )
})

describe('pages domains of an archived project', () => {
  permissionTable(
    `
    call                                       anonymous non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/pages/domains         401       403·403·404 403   403      403       200        200   200
    GET    /projects/:id/pages/domains/:domain 401       403·403·404 403   403      403       200        200   200
    POST   /projects/:id/pages/domains         401       403·403·404 403   403      403       403        403   403
    PUT    /projects/:id/pages/domains/:domain 401       403·403·404 403   403      403       403        403   403
    DELETE /projects/:id/pages/domains/:domain 401       403·403·404 403   403      403       403        403   403
    `,
    { ...options, project: (visibility) => ({ ...options.project?.(visibility), archived: true }) },
  )
})

describe('pages sites', () => {
  permissionTable(
    `
    call                       anonymous non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/pages 401       403·403·404 403   403      403       200        200   200
    PATCH  /projects/:id/pages 401       403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/pages 401       403·403·404 403   403      403       204        204   204
    `,
    { bodies: { 'PATCH /projects/:id/pages': { pages_https_only: true } } },
  )
})

everyRouteOf('pages domains', 'pages sites')
