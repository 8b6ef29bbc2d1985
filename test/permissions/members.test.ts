import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type TableOptions, type Target, visibilities } from './matrix.ts'

const member = ({ users }: Target) => users.colleague
const level = { access_level: 20 }
const newcomer = ({ users }: Target) => ({ user_id: users.newcomer, access_level: 10 })

describe('access requests', () => {
  /** Private groups and projects accept no access requests: `applicant` requests while they are public. */
  const askEverywhere = async ({ host, as }: FakeForge) => {
    for (const visibility of visibilities) {
      const project = `${visibility}/code`
      await host.groups.update({ group: visibility, visibility: 'public' })
      await host.projects.update({ project, visibility: 'public' })
      await as('applicant').accessRequests.create({ group: visibility })
      await as('applicant').accessRequests.create({ project })
      await host.projects.update({ project, visibility })
      await host.groups.update({ group: visibility, visibility })
    }
  }
  const options: TableOptions = {
    users: ['applicant'],
    prepare: askEverywhere,
    path: { user_id: ({ users }) => users.applicant },
  }

  permissionTable(
    `
    call                                                anonymous non-member  guest reporter developer maintainer owner admin
    GET    /groups/:id/access_requests                  401       403·403·404 403   403      403       403        200   200
    POST   /groups/:id/access_requests                  401       200·200·404 403   403      403       403        403   403
    PUT    /groups/:id/access_requests/:user_id/approve 401       403·403·404 403   403      403       403        200   200
    DELETE /groups/:id/access_requests/:user_id         401       403·403·404 403   403      403       403        204   204

    GET    /projects/:id/access_requests                  401     403·403·404 403   403      403       200        200   200
    POST   /projects/:id/access_requests                  401     200·200·404 403   403      403       403        403   403
    PUT    /projects/:id/access_requests/:user_id/approve 401     403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/access_requests/:user_id         401     403·403·404 403   403      403       204        204   204
    `,
    options,
  )
})

describe('missing access requests', () => {
  // The permission is checked first, so a 403 does not reveal whether the request exists.
  permissionTable(
    `
    call                                                  anonymous non-member  guest reporter developer maintainer owner admin
    PUT    /groups/:id/access_requests/:user_id/approve   401       403·403·404 403   403      403       403        404   404
    DELETE /groups/:id/access_requests/:user_id           401       403·403·404 403   403      403       403        404   404
    PUT    /projects/:id/access_requests/:user_id/approve 401       403·403·404 403   403      403       404        404   404
    DELETE /projects/:id/access_requests/:user_id         401       403·403·404 403   403      403       404        404   404
    `,
    { users: ['newcomer'], path: { user_id: ({ users }) => users.newcomer } },
  )
})

describe('members', () => {
  const colleague = { user: 'colleague', access: 'guest' } as const
  const options: TableOptions = {
    users: ['colleague', 'newcomer'],
    group: () => ({ members: [{ ...colleague, synced: true }] }),
    project: () => ({ members: [colleague] }),
    path: { user_id: member, source: () => 1 },
    bodies: {
      'POST /groups/:id/members': newcomer,
      'POST /projects/:id/members': newcomer,
      'PUT /projects/:id/members/:user_id': level,
      'POST /groups/:id/members/sync': ({ users }) => ({ user_id: users.newcomer, access_level: 30 }),
    },
  }

  permissionTable(
    `
    call                                          anonymous non-member  guest reporter developer maintainer owner admin
    GET    /groups/:id/members                    401       200·200·404 200   200      200       200        200   200
    GET    /groups/:id/members/all                401       200·200·404 200   200      200       200        200   200
    GET    /groups/:id/members/:user_id           401       200·200·404 200   200      200       200        200   200
    GET    /groups/:id/members/all/:user_id       401       200·200·404 200   200      200       200        200   200
    POST   /groups/:id/members                    401       403·403·404 403   403      403       403        200   200
    DELETE /groups/:id/members/:user_id           401       403·403·404 403   403      403       403        204   204
    POST   /groups/:id/members/sync               401       403·403·404 403   403      403       403        403   200
    POST   /groups/:id/members/:user_id/override  401       403·403·404 403   403      403       403        200   200
    DELETE /groups/:id/members/:user_id/override  401       403·403·404 403   403      403       403        200   200

    GET    /projects/:id/members                  401       200·200·404 200   200      200       200        200   200
    GET    /projects/:id/members/all              401       200·200·404 200   200      200       200        200   200
    GET    /projects/:id/users                    401       200·200·404 200   200      200       200        200   200
    GET    /projects/:id/members/:user_id         401       200·200·404 200   200      200       200        200   200
    GET    /projects/:id/members/all/:user_id     401       200·200·404 200   200      200       200        200   200
    POST   /projects/:id/members                  401       403·403·404 403   403      403       200        200   200
    PUT    /projects/:id/members/:user_id         401       403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/members/:user_id         401       403·403·404 403   403      403       204        204   204
    POST   /projects/:id/import_project_members/:source 401 403·403·404 403   403      403       200        200   200
    `,
    options,
  )
})

describe('synchronised members that owners cannot manage', () => {
  permissionTable(
    `
    call                                          anonymous non-member  guest reporter developer maintainer owner admin
    POST   /groups/:id/members/:user_id/override  401       403·403·404 403   403      403       403        403   200
    DELETE /groups/:id/members/:user_id/override  401       403·403·404 403   403      403       403        403   200
    `,
    {
      users: ['colleague'],
      group: () => ({ members: [{ user: 'colleague', access: 'guest', synced: true }] }),
      prepare: async ({ host }) => void (await host.settings.update({ allowGroupOwnersToManageLdap: false })),
      path: { user_id: member },
    },
  )
})

describe('members that are not synchronised', () => {
  permissionTable(
    `
    call                                          anonymous non-member  guest reporter developer maintainer owner admin
    PUT    /groups/:id/members/:user_id           401       403·403·404 403   403      403       403        200   200
    POST   /groups/:id/members/:user_id/override  401       403·403·404 403   403      403       403        403   403
    DELETE /groups/:id/members/:user_id/override  401       403·403·404 403   403      403       403        403   403
    `,
    {
      users: ['colleague'],
      group: () => ({ members: [{ user: 'colleague', access: 'guest' }] }),
      path: { user_id: member },
      bodies: { 'PUT /groups/:id/members/:user_id': level },
    },
  )
})

describe('members and requests of an archived project', () => {
  const colleague = { user: 'colleague', access: 'guest' } as const
  permissionTable(
    `
    call                                          anonymous non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/members                  401       200·200·404 200   200      200       200        200   200
    POST   /projects/:id/members                  401       403·403·404 403   403      403       200        200   200
    PUT    /projects/:id/members/:user_id         401       403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/members/:user_id         401       403·403·404 403   403      403       204        204   204
    GET    /projects/:id/access_requests          401       403·403·404 403   403      403       200        200   200
    POST   /projects/:id/access_requests          401       200·200·404 403   403      403       403        403   403
    `,
    {
      users: ['colleague', 'newcomer'],
      project: () => ({ members: [colleague], archived: true }),
      path: { user_id: member },
      bodies: { 'POST /projects/:id/members': newcomer, 'PUT /projects/:id/members/:user_id': level },
    },
  )
})

describe('users without membership', () => {
  permissionTable(
    `
    call                                          anonymous non-member  guest reporter developer maintainer owner admin
    GET    /groups/:id/members/:user_id           401       404         404   404      404       404        404   404
    PUT    /groups/:id/members/:user_id           401       403·403·404 403   403      403       403        404   404
    DELETE /groups/:id/members/:user_id           401       403·403·404 403   403      403       403        404   404
    GET    /projects/:id/members/all/:user_id     401       404         404   404      404       404        404   404
    PUT    /projects/:id/members/:user_id         401       403·403·404 403   403      403       404        404   404
    DELETE /projects/:id/members/:user_id         401       403·403·404 403   403      403       404        404   404
    `,
    {
      users: ['newcomer'],
      path: { user_id: ({ users }) => users.newcomer },
      bodies: { 'PUT /groups/:id/members/:user_id': level, 'PUT /projects/:id/members/:user_id': level },
    },
  )
})

describe('leaving', () => {
  const oneself: TableOptions = {
    users: ['second-owner'],
    group: () => ({ members: [{ user: 'second-owner', access: 'owner' }] }),
    project: () => ({
      members: ['guest', 'reporter', 'developer', 'maintainer'].map((user) => ({ user, access: 'maintainer' })),
    }),
    path: { user_id: ({ users, caller }) => users[caller] ?? 0 },
  }
  permissionTable(
    `
    call                                  anonymous non-member guest reporter developer maintainer owner admin
    DELETE /groups/:id/members/:user_id   401       404        204   204      204       204        204   404
    DELETE /projects/:id/members/:user_id 401       404        204   204      204       204        404   404
    `,
    oneself,
  )
})

describe('the last owner', () => {
  permissionTable(
    `
    call                                anonymous non-member  guest reporter developer maintainer owner admin
    PUT    /groups/:id/members/:user_id 401       403·403·404 403   403      403       403        403   403
    DELETE /groups/:id/members/:user_id 401       403·403·404 403   403      403       403        403   403
    `,
    { path: { user_id: ({ users }) => users.owner }, bodies: { 'PUT /groups/:id/members/:user_id': level } },
  )
})

describe('custom attributes', () => {
  const attribute = { customAttributes: [{ key: 'tier', value: 'gold' }] }
  const value = { value: 'silver' }
  const rows = (base: string) => `
    call                                     anonymous non-member guest reporter developer maintainer owner admin
    GET    /${base}/:id/custom_attributes      401       403        403   403      403       403        403   200
    GET    /${base}/:id/custom_attributes/:key 401       403        403   403      403       403        403   200
    PUT    /${base}/:id/custom_attributes/:key 401       403        403   403      403       403        403   200
    DELETE /${base}/:id/custom_attributes/:key 401       403        403   403      403       403        403   204
  `
  const bodies = Object.fromEntries(
    ['users', 'groups', 'projects'].map((base) => [`PUT /${base}/:id/custom_attributes/:key`, value]),
  )

  permissionTable(rows('groups') + rows('projects'), {
    group: () => attribute,
    project: () => attribute,
    path: { key: () => 'tier' },
    bodies,
  })

  // Also for the caller.
  permissionTable(rows('users'), {
    path: { key: () => 'tier', id: ({ users, caller }) => users[caller] ?? users.guest },
    prepare: async ({ host }) => {
      await host.customAttributes.set({ user: 'admin', key: 'tier', value: 'gold' })
    },
    bodies,
  })
})

everyRouteOf('access requests', 'members', 'custom attributes')
