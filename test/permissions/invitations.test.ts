import { describe } from 'vitest'
import { everyRouteOf, permissionTable } from './matrix.ts'

const email = 'kim@example.org'
const invited = { invitations: [{ email, access: 'guest' }] } as const

describe('invitations', () =>
  permissionTable(
    `
    call                                    anonymous non-member  guest reporter developer maintainer owner admin
    GET    /groups/:id/invitations          401       403·403·404 403   403      403       403        200   200
    POST   /groups/:id/invitations          401       403·403·404 403   403      403       403        201   201
    PUT    /groups/:id/invitations/:email   401       403·403·404 403   403      403       403        200   200
    DELETE /groups/:id/invitations/:email   401       403·403·404 403   403      403       403        204   204

    GET    /projects/:id/invitations        401       403·403·404 403   403      403       200        200   200
    POST   /projects/:id/invitations        401       403·403·404 403   403      403       201        201   201
    PUT    /projects/:id/invitations/:email 401       403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/invitations/:email 401       403·403·404 403   403      403       204        204   204
    `,
    {
      group: () => ({ invitations: [...invited.invitations] }),
      project: () => ({ invitations: [...invited.invitations] }),
      path: { email: () => email },
      bodies: Object.fromEntries(
        ['groups', 'projects'].flatMap((base) => [
          [`POST /${base}/:id/invitations`, { email: 'lee@example.org', access_level: 10 }],
          [`PUT /${base}/:id/invitations/:email`, { access_level: 20 }],
        ]),
      ),
    },
  ))

everyRouteOf('invitations')
