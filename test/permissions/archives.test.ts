import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type Target, visibilities } from './matrix.ts'

const gzip = new Uint8Array([0x1f, 0x8b, 8, 0])

const archive = (fields: Readonly<Record<string, string>>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new File([gzip], 'a.tar.gz'))
  return form
}

const options = {
  prepare: async ({ host, platform }: FakeForge) => {
    for (const visibility of visibilities) {
      await host.exports.create({ project: `${visibility}/code` })
      await host.exports.create({ group: visibility })
    }
    await platform.jobs.drain()
  },
  bodies: {
    'POST /projects/import': ({ group }: Target) => archive({ path: 'fresh', namespace: String(group) }),
    'POST /groups/import': ({ group }: Target) => archive({ path: 'new', name: 'New', parent_id: String(group) }),
  },
}

describe('archives', () =>
  permissionTable(
    `
    call                                anonymous   non-member  guest       reporter developer maintainer owner admin
    POST /projects/:id/export           401         403·403·404 403         403      403       202        202   202
    GET  /projects/:id/export           401         403·403·404 403         403      403       200        200   200
    GET  /projects/:id/export/download  401         403·403·404 403         403      403       200        200   200
    GET  /projects/:id/import           401         200·200·404 200         200      200       200        200   200
    POST /projects/import               401         403·403·404 403         403      403       201        201   201
    POST /groups/:id/export             401         403·403·404 403         403      403       403        202   202
    GET  /groups/:id/export             401         403·403·404 403         403      403       403        200   200
    GET  /groups/:id/export/download    401         403·403·404 403         403      403       403        200   200
    GET  /groups/:id/import             401         403·403·404 403         403      403       403        200   200
    POST /groups/import                 401         403·403·404 403         403      403       403        202   202
    `,
    options,
  ))

everyRouteOf('exports', 'imports')
