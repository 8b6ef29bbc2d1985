import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type TableOptions, visibilities } from './matrix.ts'

const token = { name: 'robot', scopes: ['api' as const] }
const deployToken = { name: 'cluster', scopes: ['read_repository' as const] }
const ids: Record<string, number> = {}

describe('access tokens', () => {
  const options: TableOptions = {
    path: {
      token: ({ visibility }) => ids[`${visibility}/code`],
      group_token: ({ visibility }) => ids[visibility],
    },
    bodies: { 'POST /projects/:id/access_tokens': token, 'POST /groups/:id/access_tokens': token },
    prepare: async ({ host }) => {
      for (const group of visibilities) {
        const project = `${group}/code`
        ids[project] = (await host.accessTokens.create({ project, ...token })).id
        ids[group] = (await host.accessTokens.create({ group, ...token })).id
      }
    },
  }

  permissionTable(
    `
    call                                             anonymous non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/access_tokens               401       403·403·404 403   403      403       200        200   200
    POST   /projects/:id/access_tokens               401       403·403·404 403   403      403       201        201   201
    GET    /projects/:id/access_tokens/:token        401       403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/access_tokens/:token        401       403·403·404 403   403      403       204        204   204
    POST   /projects/:id/access_tokens/:token/rotate 401       403·403·404 403   403      403       200        200   200
    POST   /projects/:id/access_tokens/self/rotate   401       403·403·404 403   403      403       404        404   404
    GET    /groups/:id/access_tokens                 401       403·403·404 403   403      403       403        200   200
    POST   /groups/:id/access_tokens                 401       403·403·404 403   403      403       403        201   201
    GET    /groups/:id/access_tokens/:group_token    401       403·403·404 403   403      403       403        200   200
    DELETE /groups/:id/access_tokens/:group_token    401       403·403·404 403   403      403       403        204   204
    POST   /groups/:id/access_tokens/self/rotate     401       403·403·404 403   403      403       403        404   404
    POST   /groups/:id/access_tokens/:group_token/rotate 401   403·403·404 403   403      403       403        200   200
    `,
    options,
  )
})

describe('deploy tokens', () => {
  const options: TableOptions = {
    path: {
      token: ({ visibility }) => ids[`${visibility}/code`],
      group_token: ({ visibility }) => ids[visibility],
    },
    bodies: { 'POST /projects/:id/deploy_tokens': deployToken, 'POST /groups/:id/deploy_tokens': deployToken },
    prepare: async ({ host }) => {
      for (const group of visibilities) {
        const project = `${group}/code`
        ids[project] = (await host.deployTokens.create({ project, ...deployToken })).id
        ids[group] = (await host.deployTokens.create({ group, ...deployToken })).id
      }
    },
  }

  permissionTable(
    `
    call                                      anonymous non-member  guest reporter developer maintainer owner admin
    GET    /deploy_tokens                     401       403         403   403      403       403        403   200
    GET    /projects/:id/deploy_tokens        401       403·403·404 403   403      403       200        200   200
    POST   /projects/:id/deploy_tokens        401       403·403·404 403   403      403       201        201   201
    GET    /projects/:id/deploy_tokens/:token 401       403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/deploy_tokens/:token 401       403·403·404 403   403      403       204        204   204
    GET    /groups/:id/deploy_tokens          401       403·403·404 403   403      403       200        200   200
    POST   /groups/:id/deploy_tokens          401       403·403·404 403   403      403       403        201   201
    GET    /groups/:id/deploy_tokens/:group_token 401   403·403·404 403   403      403       200        200   200
    DELETE /groups/:id/deploy_tokens/:group_token 401   403·403·404 403   403      403       403        204   204
    `,
    options,
  )
})

everyRouteOf('access tokens')
everyRouteOf('deploy tokens')
