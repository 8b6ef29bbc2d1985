import { describe } from 'vitest'
import { everyRouteOf, permissionTable } from './matrix.ts'

const json = { name: 'Board', redirect_uri: 'https://board.example.com/callback', scopes: 'openid' }

describe('applications', () =>
  permissionTable(
    `
    call                     anonymous non-member guest reporter developer maintainer owner admin
    GET    /applications     401       403        403   403      403       403        403   200
    POST   /applications     401       403        403   403      403       403        403   201
    POST   /applications/:id/renew-secret 401  403        403   403      403       403        403   200
    DELETE /applications/:id 401       403        403   403      403       403        403   204
    `,
    {
      path: { id: () => 1 },
      bodies: { 'POST /applications': json },
      prepare: async ({ host }) => {
        await host.applications.create({ name: 'Board', redirectUri: json.redirect_uri, scopes: 'openid' })
      },
    },
  ))

everyRouteOf('applications')
