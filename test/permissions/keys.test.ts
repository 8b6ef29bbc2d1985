import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { newGpgKey } from '../contract/gpg-keys.ts'
import { newSshKey } from '../contract/ssh-keys.ts'
import { everyRouteOf, permissionTable } from './matrix.ts'

const key = newSshKey('guest')
const prepare = async ({ host }: FakeForge) => void (await host.keys.create({ user: 'guest', key }))

describe('keys', () => {
  permissionTable(
    `
    call             anonymous non-member guest reporter developer maintainer owner admin
    GET /keys/:key   401       403        403   403      403       403        403   200
    `,
    { prepare, path: { key: () => 1 } },
  )
})

describe('keys of users', () => {
  permissionTable(
    `
    call                           anonymous non-member guest reporter developer maintainer owner admin
    GET    /user/keys              401       200        200   200      200       200        200   200
    POST   /user/keys              401       201        201   201      201       201        201   201
    GET    /user/keys/:key         401       404        200   404      404       404        404   404
    DELETE /user/keys/:key         401       404        204   404      404       404        404   404
    GET    /users/:guest/keys      401       200        200   200      200       200        200   200
    GET    /users/:guest/keys/:key 401       200        200   200      200       200        200   200
    POST   /users/:guest/keys      401       403        403   403      403       403        403   201
    DELETE /users/:guest/keys/:key 401       403        403   403      403       403        403   204
    `,
    {
      prepare,
      path: { key: () => 1, guest: ({ users }) => users.guest },
      bodies: { 'POST /user/keys': { key: newSshKey('own') }, 'POST /users/:guest/keys': { key: newSshKey('new') } },
    },
  )
})

describe('GPG keys of users', () => {
  permissionTable(
    `
    call                               anonymous non-member guest reporter developer maintainer owner admin
    GET    /user/gpg_keys              401       200        200   200      200       200        200   200
    POST   /user/gpg_keys              401       201        201   201      201       201        201   201
    GET    /user/gpg_keys/:key         401       404        200   404      404       404        404   404
    DELETE /user/gpg_keys/:key         401       404        204   404      404       404        404   404
    GET    /users/:guest/gpg_keys      200       200        200   200      200       200        200   200
    GET    /users/:guest/gpg_keys/:key 200       200        200   200      200       200        200   200
    POST   /users/:guest/gpg_keys      401       403        403   403      403       403        403   201
    DELETE /users/:guest/gpg_keys/:key 401       403        403   403      403       403        403   204
    POST   /user/gpg_keys/:key/revoke         401 404       202   404      404       404        404   404
    POST   /users/:guest/gpg_keys/:key/revoke 401 403       403   403      403       403        403   202
    `,
    {
      prepare: async ({ host }: FakeForge) => void (await host.gpgKeys.create({ user: 'guest', key: newGpgKey() })),
      path: { key: () => 1, guest: ({ users }) => users.guest },
      bodies: { 'POST /user/gpg_keys': { key: newGpgKey() }, 'POST /users/:guest/gpg_keys': { key: newGpgKey() } },
    },
  )
})

describe('missing keys', () => {
  // The permission is checked first, so a 403 does not reveal whether the key exists.
  permissionTable(
    `
    call             anonymous non-member guest reporter developer maintainer owner admin
    GET /keys/:key   401       403        403   403      403       403        403   404
    GET /keys?fingerprint=00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00 401 403 403 403 403 403 403 404
    `,
    { path: { key: () => 999_999 } },
  )
})

everyRouteOf('keys', 'gpg keys')
