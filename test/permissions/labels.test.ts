import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, signedInCallers, type TableOptions } from './matrix.ts'

const options: TableOptions = {
  group: () => ({ labels: [{ name: 'of the group', color: 'red' }] }),
  project: () => ({ labels: [{ name: 'bug', color: 'red' }] }),
  path: { label_id: () => 'bug', group_label: () => 'of the group' },
  bodies: {
    'POST /projects/:id/labels': { name: 'new', color: 'red' },
    'PUT /projects/:id/labels/:label_id': { color: 'blue' },
    'PUT /projects/:id/labels/:group_label': { color: 'blue' },
    'DELETE /projects/:id/labels': { name: 'bug' },
    'PUT /projects/:id/labels': { name: 'bug', color: 'blue' },
    'PUT /projects/:id/labels/promote': { name: 'bug' },
  },
}

/** All users are subscribed. */
const subscribed: TableOptions = {
  ...options,
  prepare: async ({ as }: FakeForge) => {
    for (const caller of signedInCallers) await as(caller).labels.subscribe({ project: 'public/code', label: 'bug' })
  },
}

describe('labels', () => {
  permissionTable(
    `
    call                                                anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/labels                         200·404·404 200·200·404 200   200      200       200        200   200
    GET    /projects/:id/labels/:label_id               200·404·404 200·200·404 200   200      200       200        200   200
    POST   /projects/:id/labels                         401         403·403·404 403   200      200       200        200   200
    PUT    /projects/:id/labels/:label_id               401         403·403·404 403   200      200       200        200   200
    DELETE /projects/:id/labels/:label_id               401         403·403·404 403   204      204       204        204   204
    PUT    /projects/:id/labels/:label_id/promote       401         403·403·404 403   200      200       200        200   200
    POST   /projects/:id/labels/:label_id/subscribe     401         200·200·404 200   200      200       200        200   200
    POST   /projects/:id/labels/:label_id/unsubscribe   401         304·304·404 304   304      304       304        304   304
    DELETE /projects/:id/labels                         401         403·403·404 403   204      204       204        204   204
    PUT    /projects/:id/labels                         401         403·403·404 403   200      200       200        200   200
    PUT    /projects/:id/labels/promote                 401         403·403·404 403   200      200       200        200   200

    GET    /projects/:id/labels/:group_label            200·404·404 200·200·404 200   200      200       200        200   200
    PUT    /projects/:id/labels/:group_label            401         403·403·404 403   404      404       404        404   404
    DELETE /projects/:id/labels/:group_label            401         403·403·404 403   404      404       404        404   404
    POST   /projects/:id/labels/:group_label/subscribe  401         200·200·404 200   200      200       200        200   200
    `,
    options,
  )
})

describe('subscribed labels', () => {
  permissionTable(
    `
    call                                                anonymous non-member  guest       reporter    developer   maintainer  owner       admin
    POST   /projects/:id/labels/:label_id/subscribe     401       304·200·404 304·200·200 304·200·200 304·200·200 304·200·200 304·200·200 304·200·200
    POST   /projects/:id/labels/:label_id/unsubscribe   401       200·304·404 200·304·304 200·304·304 200·304·304 200·304·304 200·304·304 200·304·304
    `,
    subscribed,
  )
})

describe('labels of an archived project', () => {
  permissionTable(
    `
    call                                                anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/labels                         200·404·404 200·200·404 200   200      200       200        200   200
    POST   /projects/:id/labels                         401         403·403·404 403   403      403       403        403   403
    PUT    /projects/:id/labels/:label_id               401         403·403·404 403   403      403       403        403   403
    DELETE /projects/:id/labels/:label_id               401         403·403·404 403   403      403       403        403   403
    PUT    /projects/:id/labels/:label_id/promote       401         403·403·404 403   403      403       403        403   403
    POST   /projects/:id/labels/:label_id/subscribe     401         200·200·404 200   200      200       200        200   200
    `,
    { ...options, project: (visibility) => ({ ...options.project?.(visibility), archived: true }) },
  )
})

describe('promoting with a role on the project only', () => {
  permissionTable(
    `
    call                                                anonymous   non-member guest reporter developer maintainer owner admin
    PUT    /projects/:id/labels/:label_id/promote       401         403        403   200      200       200        200   200
    `,
    {
      ...options,
      project: (visibility) => ({
        ...options.project?.(visibility),
        members: ['non-member', 'guest'].map((user) => ({ user, access: 'maintainer' as const })),
      }),
      external: { 'PUT /projects/:id/labels/:label_id/promote': '403·404·404' },
    },
  )
})

describe('missing labels', () => {
  // The permission is checked first, so a 403 does not reveal whether the label exists.
  permissionTable(
    `
    call                                                anonymous non-member guest reporter developer maintainer owner admin
    PUT    /projects/:id/labels/:unknown                401       403·403·404 403  404      404       404        404   404
    GET    /projects/:id/labels/:unknown                404       404        404   404      404       404        404   404
    `,
    {
      ...options,
      path: { unknown: () => 'nothing is called so' },
      bodies: { 'PUT /projects/:id/labels/:unknown': { color: 'red' } },
    },
  )
})

describe('labels of a group', () => {
  permissionTable(
    `
    call                                 anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /groups/:id/labels            200·404·404 200·200·404 200   200      200       200        200   200
    POST   /groups/:id/labels            401         403·403·404 403   201      201       201        201   201
    GET    /groups/:id/labels/:label_id  200·404·404 200·200·404 200   200      200       200        200   200
    PUT    /groups/:id/labels/:label_id  401         403·403·404 403   200      200       200        200   200
    DELETE /groups/:id/labels/:label_id  401         403·403·404 403   204      204       204        204   204
    POST   /groups/:id/labels/:label_id/subscribe    401    201·201·404 201   201      201       201        201   201
    POST   /groups/:id/labels/:label_id/unsubscribe  401    304·304·404 304   304      304       304        304   304
    PUT    /groups/:id/labels            401         403·403·404 403   200      200       200        200   200
    DELETE /groups/:id/labels            401         403·403·404 403   204      204       204        204   204
    `,
    {
      ...options,
      path: { label_id: () => 'of the group' },
      bodies: {
        'POST /groups/:id/labels': { name: 'new', color: 'red' },
        'PUT /groups/:id/labels/:label_id': { color: 'blue' },
        'PUT /groups/:id/labels': { name: 'of the group', color: 'blue' },
        'DELETE /groups/:id/labels': { name: 'of the group' },
      },
    },
  )
})

everyRouteOf('labels')
