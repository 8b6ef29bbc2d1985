import { describe } from 'vitest'
import { everyRouteOf, permissionTable } from './matrix.ts'

const users = '/api/scim/v2/groups/:group_path/Users'

describe('provisioning is closed to people', () => {
  permissionTable(
    `
    call                 anonymous non-member guest reporter developer maintainer owner admin
    GET    ${users}           401       401        401   401      401       401        401   401
    GET    ${users}/:user     401       401        401   401      401       401        401   401
    POST   ${users}           401       401        401   401      401       401        401   401
    PATCH  ${users}/:user     401       401        401   401      401       401        401   401
    DELETE ${users}/:user     401       401        401   401      401       401        401   401
    `,
    {
      path: { group_path: ({ visibility }) => visibility, user: () => 'somebody' },
      bodies: {
        [`POST ${users}`]: { externalId: 'x', userName: 'x', emails: [], name: {} },
        [`PATCH ${users}/:user`]: { Operations: [] },
      },
    },
  )
})

everyRouteOf('scim')
