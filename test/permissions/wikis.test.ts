import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'

const json = { title: 'New', content: 'x' }

const file = () => {
  const form = new FormData()
  form.set('file', new File(['x'], 'a.txt'))
  return form
}

const options = {
  path: { slug: () => 'home' },
  prepare: async ({ host }: FakeForge) => {
    for (const visibility of visibilities) {
      await host.wikis.create({ project: `${visibility}/code`, title: 'home', content: 'x' })
      await host.wikis.create({ group: visibility, title: 'home', content: 'x' })
    }
  },
  bodies: {
    'POST /projects/:id/wikis': json,
    'POST /groups/:id/wikis': json,
    'PUT /projects/:id/wikis/:slug': { content: 'y' },
    'PUT /groups/:id/wikis/:slug': { content: 'y' },
    'POST /projects/:id/wikis/attachments': file(),
    'POST /groups/:id/wikis/attachments': file(),
  },
}

describe('wikis', () => {
  permissionTable(
    `
    call                                 anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/wikis           200·404·404 200·200·404 200   200      200       200        200   200
    GET    /projects/:id/wikis/:slug     200·404·404 200·200·404 200   200      200       200        200   200
    POST   /projects/:id/wikis           401         403·403·404 403   403      201       201        201   201
    PUT    /projects/:id/wikis/:slug     401         403·403·404 403   403      200       200        200   200
    DELETE /projects/:id/wikis/:slug     401         403·403·404 403   403      403       204        204   204
    POST   /projects/:id/wikis/attachments 401       403·403·404 403   403      201       201        201   201
    POST   /groups/:id/wikis/attachments 401         403·403·404 403   403      201       201        201   201
    GET    /groups/:id/wikis             200·404·404 200·200·404 200   200      200       200        200   200
    GET    /groups/:id/wikis/:slug       200·404·404 200·200·404 200   200      200       200        200   200
    POST   /groups/:id/wikis             401         403·403·404 403   403      201       201        201   201
    PUT    /groups/:id/wikis/:slug       401         403·403·404 403   403      200       200        200   200
    DELETE /groups/:id/wikis/:slug       401         403·403·404 403   403      403       204        204   204
    `,
    options,
  )
})

everyRouteOf('wikis')
