import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'

permissionTable(
  `
  call                        anonymous   non-member  guest reporter developer maintainer owner admin
  POST   /projects/:id/fork   401         201·201·404 201·201·403 201 201     201        201   201
  GET    /projects/:id/forks  200·404·404 200·200·404 200   200      200       200        200   200
  POST   /projects/:id/fork/source%2Fcode  401 403·403·404 403 403   403       403        201   201
`,
  {
    external: { 'POST /projects/:id/fork': '403·404·404' },
    prepare: async ({ as, host }) => {
      await as('owner').groups.create({ path: 'source', visibility: 'public' })
      await host.projects.create({ path: 'code', namespace: 'source', visibility: 'public' })
    },
  },
)

permissionTable(
  `
  call                        anonymous non-member  guest reporter developer maintainer owner admin
  DELETE /projects/:id/fork   401       403·403·404 403   403      403       403        204   204
`,
  {
    prepare: async ({ as, host }) => {
      await as('owner').groups.create({ path: 'source', visibility: 'public' })
      await host.projects.create({ path: 'code', namespace: 'source', visibility: 'public' })
      for (const visibility of visibilities)
        await host.forks.link({ project: `${visibility}/code`, forkedFrom: 'source/code' })
    },
  },
)

everyRouteOf('forks')
