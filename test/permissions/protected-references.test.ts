import { everyRouteOf, permissionTable } from './matrix.ts'

permissionTable(
  `
  call                                        anonymous   non-member  guest reporter developer maintainer owner admin
  GET    /projects/:id/protected_branches     401         403·403·404 403   403      200       200        200   200
  GET    /projects/:id/protected_branches/x   401         403·403·404 403   403      200       200        200   200
  POST   /projects/:id/protected_branches     401         403·403·404 403   403      403       201        201   201
  PATCH  /projects/:id/protected_branches/x   401         403·403·404 403   403      403       200        200   200
  DELETE /projects/:id/protected_branches/x   401         403·403·404 403   403      403       204        204   204
  GET    /groups/:id/protected_branches       401         403·403·404 403   403      403       403        200   200
  GET    /groups/:id/protected_branches/x     401         403·403·404 403   403      403       403        200   200
  POST   /groups/:id/protected_branches       401         403·403·404 403   403      403       403        201   201
  PATCH  /groups/:id/protected_branches/x     401         403·403·404 403   403      403       403        200   200
  DELETE /groups/:id/protected_branches/x     401         403·403·404 403   403      403       403        204   204
  GET    /projects/:id/protected_tags         401         403·403·404 403   403      200       200        200   200
  GET    /projects/:id/protected_tags/v       401         403·403·404 403   403      200       200        200   200
  POST   /projects/:id/protected_tags         401         403·403·404 403   403      403       201        201   201
  DELETE /projects/:id/protected_tags/v       401         403·403·404 403   403      403       204        204   204
`,
  {
    bodies: {
      'POST /groups/:id/protected_branches': { name: 'new' },
      'PATCH /groups/:id/protected_branches/x': { allow_force_push: true },
      'POST /projects/:id/protected_branches': { name: 'new' },
      'PATCH /projects/:id/protected_branches/x': { allow_force_push: true },
      'POST /projects/:id/protected_tags': { name: 'new' },
    },
    prepare: async ({ host }) => {
      for (const visibility of ['public', 'internal', 'private']) {
        await host.protectedBranches.create({ project: `${visibility}/code`, name: 'x' })
        await host.protectedBranches.create({ group: visibility, name: 'x' })
        await host.protectedTags.create({ project: `${visibility}/code`, name: 'v' })
      }
    },
  },
)

everyRouteOf('protected branches', 'protected tags')
