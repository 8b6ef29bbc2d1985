import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'

/** Archives the projects, which are the events 1 to 3, and changes the groups, which are the events 4 to 6. */
const prepare = async ({ host }: FakeForge) => {
  for (const visibility of visibilities) await host.projects.archive({ project: `${visibility}/code` })
  for (const visibility of visibilities) await host.groups.update({ group: visibility, description: 'Changed' })
}

describe('audit events of the instance and of projects', () =>
  permissionTable(
    `
    call                                           anonymous non-member  guest reporter developer maintainer owner admin
    GET /audit_events                              401       403         403   403      403       403        403   200
    GET /audit_events/1                            401       403         403   403      403       403        403   200
    GET /projects/:id/audit_events                 401       403·403·404 403   403      200       200        200   200
    GET /projects/:id/audit_events/:audit_event_id 401       403·403·404 403   403      403       200        200   200
    `,
    { prepare, path: { audit_event_id: ({ visibility }) => visibilities.indexOf(visibility) + 1 } },
  ))

describe('audit events of groups', () =>
  permissionTable(
    `
    call                                           anonymous non-member  guest reporter developer maintainer owner admin
    GET /groups/:id/audit_events                   401       403·403·404 403   403      200       200        200   200
    GET /groups/:id/audit_events/:audit_event_id   401       403·403·404 403   403      403       403        200   200
    `,
    { prepare, path: { audit_event_id: ({ visibility }) => visibilities.indexOf(visibility) + 4 } },
  ))

everyRouteOf('audit events')
