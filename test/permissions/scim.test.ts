import { describe } from 'vitest'
import { everyRouteOf, permissionTable } from './matrix.ts'

const group = '/api/scim/v2/groups/:group_path'
const users = `${group}/Users`

describe('SCIM provisioning by users', () => {
  permissionTable(
    `
    call                 anonymous non-member guest reporter developer maintainer owner admin
    GET    ${users}           401       401        401   401      401       401        401   401
    GET    ${users}/:user     401       401        401   401      401       401        401   401
    POST   ${users}           401       401        401   401      401       401        401   401
    PUT    ${users}/:user     401       401        401   401      401       401        401   401
    PATCH  ${users}/:user     401       401        401   401      401       401        401   401
    DELETE ${users}/:user     401       401        401   401      401       401        401   401
    GET    ${group}/ServiceProviderConfig 401 401  401   401      401       401        401   401
    GET    ${group}/ResourceTypes      401 401     401   401      401       401        401   401
    GET    ${group}/ResourceTypes/User 401 401     401   401      401       401        401   401
    GET    ${group}/Schemas            401 401     401   401      401       401        401   401
    GET    ${group}/Schemas/:user      401 401     401   401      401       401        401   401
    `,
    {
      path: { group_path: ({ visibility }) => visibility, user: () => 'unknown' },
      bodies: {
        [`POST ${users}`]: { externalId: 'x', userName: 'x', emails: [], name: {} },
        [`PUT ${users}/:user`]: { userName: 'x', emails: [], name: {} },
        [`PATCH ${users}/:user`]: { Operations: [] },
      },
    },
  )
})

everyRouteOf('scim')
