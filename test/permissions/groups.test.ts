import { everyRouteOf, permissionTable } from './matrix.ts'

permissionTable(`
  call                            anonymous   non-member  guest reporter developer maintainer owner admin
  GET /groups                     200         200         200   200      200       200        200   200
  GET /groups/:id                 200·404·404 200·200·404 200   200      200       200        200   200
  GET /groups/:id/subgroups       200·404·404 200·200·404 200   200      200       200        200   200
  GET /groups/:id/projects        200·404·404 200·200·404 200   200      200       200        200   200
  GET /groups/:id/groups/shared   200·404·404 200·200·404 200   200      200       200        200   200
  GET /groups/:id/projects/shared 200·404·404 200·200·404 200   200      200       200        200   200
`)

permissionTable(
  `
  call                              anonymous   non-member  guest reporter developer maintainer owner admin
  POST   /groups                    401         201         201   201      201       201        201   201
  PUT    /groups/:id                401         403·403·404 403   403      403       403        200   200
  DELETE /groups/:id                401         403·403·404 403   403      403       403        202   202
  POST   /groups/:id/restore        401         403·403·404 403   403      403       403        400   400
  GET    /groups/:id/transfer_locations 401    403·403·404 403   403      403       403        200   200
  POST   /groups/:id/archive        401         403·403·404 403   403      403       403        200   200
  POST   /groups/:id/unarchive      401         403·403·404 403   403      403       403        422   422
  POST   /groups/:id/transfer       401         403·403·404 403   403      403       403        201   201
  POST   /groups/:id/projects/:child 401         403·403·404 403   403      403       403        403   400
  GET    /groups/:id/descendant_groups 200·404·404 200·200·404 200 200     200       200        200   200
`,
  {
    path: { child: () => 1 },
    external: { 'POST /groups': '403' },
    bodies: {
      'POST /groups': { name: 'New' },
      'PUT /groups/:id': { description: 'Better' },
      'POST /groups/:id/transfer': { group_id: 'parent' },
    },
    prepare: async ({ as }) => void (await as('owner').groups.create({ path: 'parent', visibility: 'public' })),
  },
)

everyRouteOf('groups')
