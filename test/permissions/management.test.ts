import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { newSshKey } from '../contract/ssh-keys.ts'
import { everyRouteOf, permissionTable, type Target, visibilities } from './matrix.ts'

const name = { name: 'Fresh' }

describe('users', () => {
  let email: number | undefined
  let waiting: number | undefined
  permissionTable(
    `
    call                       anonymous non-member guest reporter developer maintainer owner admin
    GET    /user               401       200        200   200      200       200        200   200
    GET    /users              401       200        200   200      200       200        200   200
    GET    /users/:user        401       200        200   200      200       200        200   200
    POST   /users              401       403        403   403      403       403        403   201
    PUT    /users/:user        401       403        403   403      403       403        403   200
    DELETE /users/:user        401       403        403   403      403       403        403   204
    POST   /users/:user/block  401       403        403   403      403       403        403   201
    POST   /users/:user/unblock 401      403        403   403      403       403        403   201
    POST   /users/:user/ban    401       403        403   403      403       403        403   201
    POST   /users/:user/unban  401       403        403   403      403       403        403   201
    POST   /users/:user/deactivate 401   403        403   403      403       403        403   201
    POST   /users/:user/activate 401     403        403   403      403       403        403   201
    POST   /users/:waiting/approve 401   403        403   403      403       403        403   201
    POST   /users/:waiting/reject 401    403        403   403      403       403        403   201
    PATCH  /users/:user/disable_two_factor 401 403  403   403      403       403        403   204
    POST   /users/:user/follow 401       201        201   201      201       201        201   201
    POST   /users/:user/unfollow 401     304        304   304      304       304        304   304
    GET    /users/:user/followers 401    200        200   200      200       200        200   200
    GET    /users/:user/following 401    200        200   200      200       200        200   200
    GET    /user/preferences   401       200        200   200      200       200        200   200
    PUT    /user/preferences   401       200        200   200      200       200        200   200
    DELETE /users/:user/identities/crm 401 403   403   403      403       403        403   204
    GET    /users/:user/emails 401       403        403   403      403       403        403   200
    POST   /users/:user/emails 401       403        403   403      403       403        403   201
    GET    /users/:user/emails/:email 401 403    403   403      403       403        403   200
    DELETE /users/:user/emails/:email 401 403       403   403      403       403        403   204
    GET    /user/emails        401       200        200   200      200       200        200   200
    POST   /user/emails        401       201        201   201      201       201        201   201
    GET    /user/emails/:email 401       404        404   404      404       404        404   404
    DELETE /user/emails/:email 401       404        404   404      404       404        404   404
    GET    /user/status        401       200        200   200      200       200        200   200
    GET    /user/activities    401       403        403   403      403       403        403   200
    GET    /users/:user/associations_count 401 403  403   403      403       403        403   200
    GET    /users/:user/memberships 401  403        403   403      403       403        403   200
    PUT    /user/status        401       200        200   200      200       200        200   200
    PATCH  /user/status        401       200        200   200      200       200        200   200
    PUT    /user/avatar        401       200        200   200      200       200        200   200
    GET    /users/:user/status 200       200        200   200      200       200        200   200
    `,
    {
      users: ['writer'],
      path: { user: ({ users }) => users.writer, email: () => email, waiting: () => waiting },
      personal: [
        'GET /user',
        'GET /users',
        'GET /users/:user',
        'GET /user/emails',
        'GET /user/emails/:email',
        'GET /user/status',
      ],
      bodies: {
        'PUT /user/avatar': { avatar: null },
        'PUT /user/preferences': { view_diffs_file_by_file: true },
        'POST /users': { username: 'new' },
        'PUT /users/:user': { name: 'Better' },
        'POST /users/:user/emails': { email: 'new@example.org' },
        'POST /user/emails': { email: 'new@example.org' },
      },
      prepare: async ({ host }) => {
        await host.identities.link({ user: 'writer', provider: 'crm', externalUid: '7' })
        await host.users.update({ user: 'writer', twoFactorEnabled: true })
        await host.emails.create({ user: 'writer', email: 'writer@example.org' })
        const { items } = await host.emails.list({ user: 'writer' })
        email = items[0]?.id
        waiting = (await host.users.create({ username: 'waiting', pendingApproval: true })).id
      },
    },
  )
})

describe('projects', () => {
  permissionTable(
    `
    call                               anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /projects                   200         200         200   200      200       200        200   200
    POST   /projects                   401         403·403·404 403   403      201       201        201   201
    POST   /projects/user/:user        401         403         403   403      403       403        403   201
    GET    /projects/:id               200·404·404 200·200·404 200   200      200       200        200   200
    PUT    /projects/:id               401         403·403·404 403   403      403       200        200   200
    DELETE /projects/:id               401         403·403·404 403   403      403       403        202   202
    POST   /projects/:id/archive       401         403·403·404 403   403      403       403        201   201
    POST   /projects/:id/restore       401         403·403·404 403   403      403       403        400   400
    POST   /projects/:id/unarchive     401         403·403·404 403   403      403       403        201   201
    PUT    /projects/:id/transfer      401         403·403·404 403   403      403       403        200   200
    POST   /projects/:id/star          401         201·201·404 201   201      201       201        201   201
    POST   /projects/:id/unstar        401         304·304·404 304   304      304       304        304   304
    GET    /projects/:id/starrers      200·404·404 200·200·404 200   200      200       200        200   200
    GET    /projects/:id/groups        200·404·404 200·200·404 200   200      200       200        200   200
    GET    /projects/:id/transfer_locations 401    403·403·404 403   403      403       403        200   200
    GET    /projects/:id/share_locations 401       403·403·404 403   403      403       200        200   200
    GET    /users/:user/projects       200         200         200   200      200       200        200   200
    GET    /users/:user/starred_projects 200       200         200   200      200       200        200   200
    GET    /users/:user/contributed_projects 200   200         200   200      200       200        200   200
    `,
    {
      users: ['writer'],
      path: { user: ({ users }) => users.writer },
      prepare: async ({ as }) => void (await as('owner').groups.create({ path: 'parent', visibility: 'public' })),
      bodies: {
        'POST /projects': ({ group }) => ({ ...name, namespace_id: group }),
        'POST /projects/user/:user': name,
        'PUT /projects/:id': { description: 'Better' },
        'PUT /projects/:id/transfer': { namespace: 'parent' },
      },
    },
  )
})

/** A group that every member of the target is a member of, too. */
const otherGroup = ({ visibility }: Pick<Target, 'visibility'>) => (visibility === 'public' ? 'internal' : 'public')
const share = (target: Target) => ({ group_id: otherGroup(target), group_access: 10 })

describe('shares', () => {
  permissionTable(
    `
    call                        anonymous non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/invited_groups 200·404·404 200·200·404 200 200  200      200        200   200
    GET    /groups/:id/invited_groups 200·404·404 200·200·404 200 200    200      200        200   200
    POST   /projects/:id/share  401       403·403·404 403   403      403       201        201   201
    POST   /groups/:id/share    401       403·403·404 403   403      403       403        201   201
    `,
    { bodies: { 'POST /projects/:id/share': share, 'POST /groups/:id/share': share } },
  )

  permissionTable(
    `
    call                                anonymous non-member  guest reporter developer maintainer owner admin
    DELETE /projects/:id/share/:other   401       403·403·404 403   403      403       204        204   204
    DELETE /groups/:id/share/:other     401       403·403·404 403   403      403       403        204   204
    `,
    {
      path: { other: otherGroup },
      prepare: async ({ host }) => {
        for (const visibility of visibilities) {
          const withGroup = otherGroup({ visibility })
          await host.shares.create({ project: `${visibility}/code`, withGroup, accessLevel: 10 })
          await host.shares.create({ group: visibility, withGroup, accessLevel: 10 })
        }
      },
    },
  )
})

describe('namespaces', () => {
  permissionTable(
    `
    call                            anonymous non-member  guest reporter developer maintainer owner admin
    GET    /namespaces              401       200         200   200      200       200        200   200
    GET    /namespaces/:namespace   401       200·200·404 200   200      200       200        200   200
    GET    /namespaces/free/exists  401       200         200   200      200       200        200   200
    `,
    { path: { namespace: ({ group }) => group } },
  )
})

describe('tokens', () => {
  let token = 0
  let impersonation = 0
  const prepare = async ({ host }: FakeForge) => {
    token = (await host.tokens.create({ user: 'owner' })).id
    impersonation = (await host.tokens.create({ user: 'owner', impersonation: true })).id
  }
  const json = { name: 'new', scopes: ['api'] }
  permissionTable(
    `
    call                                                     anonymous non-member guest reporter developer maintainer owner admin
    GET    /personal_access_tokens                           401       200        200   200      200       200        200   200
    GET    /personal_access_tokens/self                      401       200        200   200      200       200        200   200
    DELETE /personal_access_tokens/self                      401       204        204   204      204       204        204   204
    POST   /personal_access_tokens/self/rotate               401       200        200   200      200       200        200   200
    POST   /user/personal_access_tokens                      401       201        201   201      201       201        201   201
    GET    /personal_access_tokens/:token                    401       404        404   404      404       404        200   200
    DELETE /personal_access_tokens/:token                    401       404        404   404      404       404        204   204
    POST   /personal_access_tokens/:token/rotate             401       404        404   404      404       404        200   200
    GET    /users/:user/impersonation_tokens                 401       403        403   403      403       403        403   200
    POST   /users/:user/impersonation_tokens                 401       403        403   403      403       403        403   201
    GET    /users/:user/impersonation_tokens/:impersonation  401       403        403   403      403       403        403   200
    DELETE /users/:user/impersonation_tokens/:impersonation  401       403        403   403      403       403        403   204
    POST   /users/:user/personal_access_tokens               401       403        403   403      403       403        403   201
    `,
    {
      prepare,
      path: { user: ({ users }) => users.owner, token: () => token, impersonation: () => impersonation },
      personal: ['GET /personal_access_tokens/self'],
      bodies: {
        'POST /users/:user/impersonation_tokens': json,
        'POST /users/:user/personal_access_tokens': json,
        'POST /user/personal_access_tokens': { name: 'narrow', scopes: ['self_rotate'] },
      },
    },
  )
})

describe('deploy keys', () => {
  const ids: Record<string, number> = {}
  permissionTable(
    `
    call                                   anonymous non-member  guest reporter developer maintainer owner admin
    GET    /deploy_keys                    401       403         403   403      403       403        403   200
    POST   /deploy_keys                    401       403         403   403      403       403        403   201
    GET    /users/:user/project_deploy_keys 401      403         403   403      403       200        200   200
    GET    /projects/:id/deploy_keys       401       403·403·404 403   403      403       200        200   200
    POST   /projects/:id/deploy_keys       401       403·403·404 403   403      403       201        201   201
    GET    /projects/:id/deploy_keys/:key  401       403·403·404 403   403      403       200        200   200
    PUT    /projects/:id/deploy_keys/:key  401       403·403·404 403   403      403       200        200   200
    POST   /projects/:id/deploy_keys/:key/enable 401 403·403·404 403   403      403       201        201   201
    DELETE /projects/:id/deploy_keys/:key  401       403·403·404 403   403      403       204        204   204
    `,
    {
      path: { key: ({ visibility }) => ids[visibility], user: () => 'owner' },
      bodies: {
        'POST /projects/:id/deploy_keys': { key: newSshKey('new') },
        'POST /deploy_keys': { title: 'Instance', key: newSshKey('instance') },
        'PUT /projects/:id/deploy_keys/:key': { title: 'Better' },
      },
      prepare: async ({ host }) => {
        for (const visibility of visibilities) {
          const key = newSshKey(visibility)
          ids[visibility] = (await host.deployKeys.create({ project: `${visibility}/code`, key })).id
        }
      },
    },
  )
})

everyRouteOf('users', 'identities', 'emails', 'user statuses', 'tokens', 'deploy keys')
everyRouteOf('projects', 'shares', 'namespaces')
