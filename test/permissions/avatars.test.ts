import { describe } from 'vitest'
import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'

const content = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
const avatar = { fileName: 'a.gif', content }

describe('pictures', () =>
  permissionTable(
    `
    call                                                    anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /avatar?email=a@example.com                      200         200         200   200      200       200        200   200
    GET    /projects/:id/avatar                             200·404·404 200·200·404 200   200      200       200        200   200
    GET    /groups/:id/avatar                               200·404·404 200·200·404 200   200      200       200        200   200
    GET    /uploads/-/system/project/avatar/:project/a.gif  200·404·404 200·200·404 200   200      200       200        200   200
    GET    /uploads/-/system/group/avatar/:group/a.gif      200·404·404 200·200·404 200   200      200       200        200   200
    GET    /uploads/-/system/user/avatar/:user/a.gif        200         200         200   200      200       200        200   200
    GET    /uploads/-/system/projects/topic/avatar/1/a.gif  200         200         200   200      200       200        200   200
    `,
    {
      users: ['pictured'],
      path: {
        project: ({ visibility }) => `${visibility}/code`,
        group: ({ visibility }) => visibility,
        user: ({ users }) => users.pictured,
      },
      prepare: async ({ host }) => {
        await host.users.update({ user: 'pictured', avatar })
        await host.topics.create({ name: 'pictured', title: 'Pictured', avatar })
        for (const visibility of visibilities) {
          await host.projects.update({ project: `${visibility}/code`, avatar })
          await host.groups.update({ group: visibility, avatar })
        }
      },
    },
  ))

everyRouteOf('avatars')
