import { describe } from 'vitest'
import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'

describe('feature flags and the appearance of the instance', () =>
  permissionTable(
    `
    call                         anonymous non-member guest reporter developer maintainer owner admin
    GET    /features             401       403        403   403      403       403        403   200
    GET    /features/definitions 401       403        403   403      403       403        403   200
    POST   /features/:name       401       403        403   403      403       403        403   201
    DELETE /features/:name       401       403        403   403      403       403        403   204
    GET    /application/appearance 401     403        403   403      403       403        403   200
    PUT    /application/appearance 401     403        403   403      403       403        403   200
    GET    /uploads/-/system/appearance/logo/1/a.gif        200 200 200   200      200       200        200   200
    GET    /uploads/-/system/appearance/header_logo/1/a.gif 200 200 200   200      200       200        200   200
    GET    /uploads/-/system/appearance/favicon/1/a.gif     200 200 200   200      200       200        200   200
    GET    /uploads/-/system/appearance/pwa_icon/1/a.gif    200 200 200   200      200       200        200   200
    `,
    {
      path: { name: () => 'new_pages' },
      prepare: async ({ host }) => {
        const content = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
        const picture = { fileName: 'a.gif', content }
        await host.appearances.update({ logo: picture, headerLogo: picture, favicon: picture, pwaIcon: picture })
      },
      bodies: { 'POST /features/:name': { value: true }, 'PUT /application/appearance': { title: 'Forge' } },
    },
  ))

describe('secure files', () =>
  permissionTable(
    `
    call                                              anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/secure_files                 401         403·403·404 403   403      200       200        200   200
    POST   /projects/:id/secure_files                 401         403·403·404 403   403      403       201        201   201
    GET    /projects/:id/secure_files/:file           401         403·403·404 403   403      200       200        200   200
    GET    /projects/:id/secure_files/:file/download  401         403·403·404 403   403      200       200        200   200
    DELETE /projects/:id/secure_files/:file           401         403·403·404 403   403      403       204        204   204
    `,
    {
      path: { file: ({ visibility }) => visibilities.indexOf(visibility) + 1 },
      prepare: async ({ host }) => {
        for (const visibility of visibilities) {
          const file = { fileName: 'a', content: Buffer.from('x') }
          await host.secureFiles.create({ project: `${visibility}/code`, name: 'key.pem', file })
        }
      },
      bodies: {
        'POST /projects/:id/secure_files': () => {
          const form = new FormData()
          form.set('name', 'new.pem')
          form.set('file', new File(['x'], 'new.pem'))
          return form
        },
      },
    },
  ))

everyRouteOf('instance features', 'appearances', 'secure files')
