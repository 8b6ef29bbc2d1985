import { describe } from 'vitest'
import { everyRouteOf, permissionTable } from './matrix.ts'

describe('application settings', () => {
  permissionTable(
    `
    call                         anonymous non-member guest reporter developer maintainer owner admin
    GET    /application/settings 401       403        403   403      403       403        403   200
    PUT    /application/settings 401       403        403   403      403       403        403   200
    `,
    { path: {}, bodies: { 'PUT /application/settings': { sign_in_text: 'Hello' } } },
  )
})

everyRouteOf('application settings')
