import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { newSshKey } from '../contract/ssh-keys.ts'
import { everyRouteOf, permissionTable } from './matrix.ts'

const key = newSshKey('guest')
const prepare = async ({ host }: FakeForge) => void (await host.keys.add({ user: 'guest', key }))

describe('keys', () => {
  permissionTable(
    `
    call             anonymous non-member guest reporter developer maintainer owner admin
    GET /keys/:key   401       403        403   403      403       403        403   200
    `,
    { prepare, path: { key: () => 1 } },
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

everyRouteOf('keys')
