import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'

const body = { max_file_size: 5 }
const bodies = Object.fromEntries(
  ['groups', 'projects'].flatMap((base) => [
    [`POST /${base}/:id/push_rule`, body],
    [`PUT /${base}/:id/push_rule`, body],
  ]),
)

describe('push rules', () =>
  permissionTable(
    `
    call                           anonymous non-member  guest reporter developer maintainer owner admin
    GET    /groups/:id/push_rule   401       403·403·404 403   403      403       403        200   200
    PUT    /groups/:id/push_rule   401       403·403·404 403   403      403       403        200   200
    DELETE /groups/:id/push_rule   401       403·403·404 403   403      403       403        204   204
    GET    /projects/:id/push_rule 401       403·403·404 403   403      403       200        200   200
    PUT    /projects/:id/push_rule 401       403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/push_rule 401       403·403·404 403   403      403       204        204   204
    `,
    {
      prepare: async ({ host }: FakeForge) => {
        for (const visibility of visibilities) {
          await host.pushRules.create({ project: `${visibility}/code` })
          await host.pushRules.create({ group: visibility })
        }
      },
      bodies,
    },
  ))

describe('projects and groups without push rules', () =>
  permissionTable(
    `
    call                           anonymous non-member  guest reporter developer maintainer owner admin
    POST   /groups/:id/push_rule   401       403·403·404 403   403      403       403        201   201
    POST   /projects/:id/push_rule 401       403·403·404 403   403      403       201        201   201
    GET    /projects/:id/push_rule 401       403·403·404 403   403      403       200        200   200
    `,
    { bodies },
  ))

everyRouteOf('push rules')
