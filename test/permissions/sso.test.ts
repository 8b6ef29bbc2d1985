import { describe } from 'vitest'
import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'

const sso = '/groups/:id/sso'
const saml = '/groups/:id/saml'
const scim = '/groups/:id/scim'

describe('single sign-on of groups', () =>
  permissionTable(
    `
    call                                        anonymous non-member  guest reporter developer maintainer owner admin
    GET    ${sso}                               401       403·403·404 403   403      403       403        403   200
    PUT    ${sso}                               401       403·403·404 403   403      403       403        403   200
    DELETE ${sso}                               401       403·403·404 403   403      403       403        403   200
    GET    ${sso}/scim_tokens                   401       403·403·404 403   403      403       403        403   200
    POST   ${sso}/scim_tokens                   401       403·403·404 403   403      403       403        403   201
    POST   ${sso}/scim_tokens/:token_id/rotate  401       403·403·404 403   403      403       403        403   200
    DELETE ${sso}/scim_tokens/:token_id         401       403·403·404 403   403      403       403        403   204
    GET    ${saml}/identities                   401       403·403·404 403   403      403       403        200   200
    GET    ${saml}/:uid                         401       403·403·404 403   403      403       403        200   200
    PATCH  ${saml}/:uid                         401       403·403·404 403   403      403       403        403   200
    DELETE ${saml}/:uid                         401       403·403·404 403   403      403       403        204   204
    GET    ${scim}/identities                   401       403·403·404 403   403      403       403        200   200
    GET    ${scim}/:uid                         401       403·403·404 403   403      403       403        200   200
    PATCH  ${scim}/:uid                         401       403·403·404 403   403      403       403        403   200
    DELETE ${scim}/:uid                         401       403·403·404 403   403      403       403        204   204
    `,
    {
      users: ['colleague'],
      group: () => ({ members: [{ user: 'colleague', access: 'guest' }] }),
      prepare: async ({ host }) => {
        for (const group of visibilities) {
          await host.sso.enable({ group })
          await host.sso.createToken({ group })
          await host.sso.linkIdentity({ group, user: 'colleague', externalUid: 'uid' })
        }
      },
      path: { token_id: ({ visibility }) => visibilities.indexOf(visibility) + 1, uid: () => 'uid' },
      bodies: { [`PATCH ${saml}/:uid`]: { extern_uid: 'other' }, [`PATCH ${scim}/:uid`]: { extern_uid: 'other' } },
    },
  ))

everyRouteOf('sso')
