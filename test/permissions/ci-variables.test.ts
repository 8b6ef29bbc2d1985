import { describe } from 'vitest'
import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'

const variable = { key: 'NEW', value: 'x' }
const change = { value: 'y' }

describe('variables', () =>
  permissionTable(
    `
    call                              anonymous non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/variables    401       403·403·404 403   403      403       200        200   200
    POST   /projects/:id/variables    401       403·403·404 403   403      403       201        201   201
    GET    /projects/:id/variables/A  401       403·403·404 403   403      403       200        200   200
    PUT    /projects/:id/variables/A  401       403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/variables/A  401       403·403·404 403   403      403       204        204   204
    GET    /groups/:id/variables      401       403·403·404 403   403      403       403        200   200
    POST   /groups/:id/variables      401       403·403·404 403   403      403       403        201   201
    GET    /groups/:id/variables/A    401       403·403·404 403   403      403       403        200   200
    PUT    /groups/:id/variables/A    401       403·403·404 403   403      403       403        200   200
    DELETE /groups/:id/variables/A    401       403·403·404 403   403      403       403        204   204
    GET    /admin/ci/variables        401       403         403   403      403       403        403   200
    POST   /admin/ci/variables        401       403         403   403      403       403        403   201
    GET    /admin/ci/variables/A      401       403         403   403      403       403        403   200
    PUT    /admin/ci/variables/A      401       403         403   403      403       403        403   200
    DELETE /admin/ci/variables/A      401       403         403   403      403       403        403   204
    `,
    {
      bodies: {
        'POST /projects/:id/variables': variable,
        'PUT /projects/:id/variables/A': change,
        'POST /groups/:id/variables': variable,
        'PUT /groups/:id/variables/A': change,
        'POST /admin/ci/variables': variable,
        'PUT /admin/ci/variables/A': change,
      },
      prepare: async ({ host }) => {
        for (const group of visibilities) {
          await host.ciVariables.create({ project: `${group}/code`, key: 'A', value: 'x' })
          await host.ciVariables.create({ group, key: 'A', value: 'x' })
        }
        await host.ciVariables.create({ key: 'A', value: 'x' })
      },
    },
  ))

everyRouteOf('ci variables')
