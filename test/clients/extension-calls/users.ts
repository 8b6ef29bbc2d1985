import { newGpgKey } from '../../contract/gpg-keys.ts'
import {
  byAdmin,
  byDisposable,
  byUser,
  type ClientCalls,
  type ClientWorld,
  noCall,
  type UnsupportedRoutes,
} from './client-world.ts'

const scopes = ['read_api'] as never
const redirectUri = 'https://board.example.com/callback'

const newKey = async ({ host, key }: ClientWorld, user: string | number) =>
  (await host.keys.create({ user, key: key() })).id

const addGpgKey = async ({ host }: ClientWorld, user: string | number) =>
  (await host.gpgKeys.create({ user, key: newGpgKey() })).id

const newEmail = async ({ host, name }: ClientWorld, user: string | number) =>
  (await host.emails.create({ user, email: `${name('second')}@example.com` })).id

const newToken = async ({ token }: ClientWorld, user: string | number, impersonation = false) =>
  (await token(user, impersonation)).id

/** Users, their keys, e-mail addresses and statuses. */
const accountCalls: ClientCalls = {
  'GET /user': byUser(({ Users }) => Users.showCurrentUser()),
  'GET /users': byUser(({ Users }) => Users.all({ search: 'bob' })),
  'GET /users/:id': byUser(async ({ Users }, { user }) => Users.show(await user())),
  'GET /user/activities': byAdmin(({ Users }) => Users.allActivities()),
  'GET /users/:id/memberships': byAdmin(async ({ Users }, { user }) => Users.allMemberships(await user())),
  'GET /users/:id/associations_count': byAdmin(async ({ Users }, { user }) =>
    Users.showAssociationsCount(await user()),
  ),
  'POST /users': byAdmin(({ Users }, { name }) => {
    const username = name('user')
    const email = `${username}@example.com`
    return Users.create({ username, name: 'New User', email, forceRandomPassword: true, skipConfirmation: true })
  }),
  'PUT /users/:id': byAdmin(async ({ Users }, { user }) => Users.edit(await user(), { name: 'Other' })),
  'DELETE /users/:id': byAdmin(async ({ Users }, { user }) => Users.remove(await user())),
  'POST /users/:id/block': byAdmin(async ({ Users }, { user }) => Users.block(await user())),
  'POST /users/:id/unblock': byAdmin(async ({ Users }, { user, host }) => {
    const id = await user()
    await host.users.block({ user: id })
    return Users.unblock(id)
  }),
  'POST /users/:id/ban': byAdmin(async ({ Users }, { user }) => Users.ban(await user())),
  'POST /users/:id/unban': byAdmin(async ({ Users }, { user, host }) => {
    const id = await user()
    await host.users.ban({ user: id })
    return Users.unban(id)
  }),
  'POST /users/:id/deactivate': byAdmin(async ({ Users }, { user }) => Users.deactivate(await user())),
  'POST /users/:id/approve': byAdmin(async ({ Users }, { host, name }) => {
    const { id } = await host.users.create({ username: name('waiting'), pendingApproval: true })
    return Users.approve(id)
  }),
  'POST /users/:id/reject': byAdmin(async ({ Users }, { host, name }) => {
    const { id } = await host.users.create({ username: name('waiting'), pendingApproval: true })
    return Users.reject(id)
  }),
  'POST /users/:id/activate': byAdmin(async ({ Users }, { user, host }) => {
    const id = await user()
    await host.users.deactivate({ user: id })
    return Users.activate(id)
  }),
  'PATCH /users/:id/disable_two_factor': byAdmin(async ({ Users }, { user, host }) => {
    const id = await user()
    await host.users.update({ user: id, twoFactorEnabled: true })
    return Users.disableTwoFactor(id)
  }),
  'POST /users/:id/follow': byUser(async ({ Users }, { user }) => Users.follow(await user())),
  'POST /users/:id/unfollow': byUser(async ({ Users }, { user, forge }) => {
    const id = await user()
    await forge.as('alice').users.follow({ user: id })
    return Users.unfollow(id)
  }),
  'GET /users/:id/followers': byUser(async ({ Users }, { user }) => Users.allFollowers(await user())),
  'GET /users/:id/following': byUser(async ({ Users }, { user }) => Users.allFollowing(await user())),
  'GET /user/preferences': byUser(({ Users }) => Users.showCurrentUserPreferences()),
  'PUT /user/preferences': byUser(({ Users }) => Users.editCurrentUserPreferences(true, false)),
  'GET /avatar': byUser(({ Avatar }) => Avatar.show('alice@example.com')),
  'GET /user/keys': byUser(({ UserSSHKeys }) => UserSSHKeys.all()),
  'POST /user/keys': byUser(({ UserSSHKeys }, { key }) => UserSSHKeys.add('Laptop', key())),
  'GET /user/keys/:key_id': byUser(async ({ UserSSHKeys }, world) => UserSSHKeys.show(await newKey(world, 'alice'))),
  'DELETE /user/keys/:key_id': byUser(async ({ UserSSHKeys }, world) =>
    UserSSHKeys.remove(await newKey(world, 'alice')),
  ),
  'GET /user/gpg_keys': byUser(({ UserGPGKeys }) => UserGPGKeys.all()),
  'POST /user/gpg_keys': byUser(({ UserGPGKeys }) => UserGPGKeys.add(newGpgKey())),
  'GET /user/gpg_keys/:key_id': byUser(async ({ UserGPGKeys }, world) =>
    UserGPGKeys.show(await addGpgKey(world, 'alice')),
  ),
  'DELETE /user/gpg_keys/:key_id': byUser(async ({ UserGPGKeys }, world) =>
    UserGPGKeys.remove(await addGpgKey(world, 'alice')),
  ),
  'GET /users/:id/gpg_keys': byUser(async ({ UserGPGKeys }, { user }) => UserGPGKeys.all({ userId: await user() })),
  'POST /users/:id/gpg_keys': byAdmin(async ({ UserGPGKeys }, { user }) =>
    UserGPGKeys.add(newGpgKey(), { userId: await user() }),
  ),
  'GET /users/:id/gpg_keys/:key_id': byUser(async ({ UserGPGKeys }, world) => {
    const userId = await world.user()
    return UserGPGKeys.show(await addGpgKey(world, userId), { userId })
  }),
  'DELETE /users/:id/gpg_keys/:key_id': byAdmin(async ({ UserGPGKeys }, world) => {
    const userId = await world.user()
    return UserGPGKeys.remove(await addGpgKey(world, userId), { userId })
  }),
  'GET /users/:id/keys': byUser(async ({ UserSSHKeys }, { user }) => UserSSHKeys.all({ userId: await user() })),
  'POST /users/:id/keys': byAdmin(async ({ UserSSHKeys }, { user, key }) =>
    UserSSHKeys.add('Laptop', key(), { userId: await user() }),
  ),
  'GET /users/:id/keys/:key_id': byUser(async ({ UserSSHKeys }, world) => {
    const userId = await world.user()
    return UserSSHKeys.show(await newKey(world, userId), { userId } as never)
  }),
  'DELETE /users/:id/keys/:key_id': byAdmin(async ({ UserSSHKeys }, world) => {
    const userId = await world.user()
    return UserSSHKeys.remove(await newKey(world, userId), { userId })
  }),
  'GET /user/emails': byUser(({ UserEmails }) => UserEmails.all()),
  'POST /user/emails': byUser(({ UserEmails }, { name }) => UserEmails.add(`${name('second')}@example.com`)),
  'GET /user/emails/:email_id': byUser(async ({ UserEmails }, world) =>
    UserEmails.show(await newEmail(world, 'alice')),
  ),
  'DELETE /user/emails/:email_id': byUser(async ({ UserEmails }, world) =>
    UserEmails.remove(await newEmail(world, 'alice')),
  ),
  'GET /users/:id/emails': byAdmin(async ({ UserEmails }, { user }) => UserEmails.all({ userId: await user() })),
  'POST /users/:id/emails': byAdmin(async ({ UserEmails }, { user, name }) =>
    UserEmails.add(`${name('second')}@example.com`, { userId: await user(), skipConfirmation: true }),
  ),
  'DELETE /users/:id/identities/:provider': byAdmin(async ({ Users }, { host, user }) => {
    const id = await user()
    await host.identities.link({ user: id, provider: 'crm', externalUid: String(id) })
    return Users.removeAuthenticationIdentity(id, 'crm')
  }),
  'DELETE /users/:id/emails/:email_id': byAdmin(async ({ UserEmails }, world) => {
    const userId = await world.user()
    return UserEmails.remove(await newEmail(world, userId), { userId })
  }),
  'GET /user/status': byUser(({ Users }) => Users.showStatus()),
  'PUT /user/status': byUser(({ Users }) => Users.editStatus({ emoji: 'coffee', message: 'At lunch' } as never)),
  'GET /users/:id/status': byUser(({ Users }) => Users.showStatus({ iDOrUsername: 'bob' })),
}

/** Access tokens. */
const tokenCalls: ClientCalls = {
  'GET /users/:user_id/impersonation_tokens': byAdmin(async ({ UserImpersonationTokens }, { user }) =>
    UserImpersonationTokens.all(await user()),
  ),
  'POST /users/:user_id/impersonation_tokens': byAdmin(async ({ UserImpersonationTokens }, { user }) =>
    UserImpersonationTokens.create(await user(), 'robot', scopes),
  ),
  'GET /users/:user_id/impersonation_tokens/:token_id': byAdmin(async ({ UserImpersonationTokens }, world) => {
    const user = await world.user()
    return UserImpersonationTokens.show(user, await newToken(world, user, true))
  }),
  'DELETE /users/:user_id/impersonation_tokens/:token_id': byAdmin(async ({ UserImpersonationTokens }, world) => {
    const user = await world.user()
    return UserImpersonationTokens.revoke(user, await newToken(world, user, true))
  }),
  'POST /users/:user_id/personal_access_tokens': byAdmin(async ({ PersonalAccessTokens }, { user }) =>
    PersonalAccessTokens.create(await user(), 'robot', scopes),
  ),
  'GET /applications': byAdmin(({ Applications }) => Applications.all()),
  'POST /applications': byAdmin(({ Applications }) => Applications.create('Board', redirectUri, 'openid')),
  'DELETE /applications/:id': byAdmin(async ({ Applications }, { host }) => {
    const { id } = await host.applications.create({ name: 'Board', redirectUri, scopes: 'openid' })
    return Applications.remove(id)
  }),
  'GET /personal_access_tokens': byUser(({ PersonalAccessTokens }) => PersonalAccessTokens.all()),
  'GET /personal_access_tokens/self': byUser(({ PersonalAccessTokens }) => PersonalAccessTokens.show()),
  'DELETE /personal_access_tokens/self': byDisposable(({ PersonalAccessTokens }) => PersonalAccessTokens.remove()),
  'POST /personal_access_tokens/self/rotate': byDisposable(({ PersonalAccessTokens }) =>
    PersonalAccessTokens.rotate('self' as never),
  ),
  'GET /personal_access_tokens/:id': byUser(async ({ PersonalAccessTokens }, world) =>
    PersonalAccessTokens.show({ tokenId: await newToken(world, 'alice') }),
  ),
  'DELETE /personal_access_tokens/:id': byUser(async ({ PersonalAccessTokens }, world) =>
    PersonalAccessTokens.remove({ tokenId: await newToken(world, 'alice') }),
  ),
  'POST /personal_access_tokens/:id/rotate': byUser(async ({ PersonalAccessTokens }, world) =>
    PersonalAccessTokens.rotate(await newToken(world, 'alice')),
  ),
}

/** The instance and its replicas. */
const instanceCalls: ClientCalls = {
  'GET /metadata': byUser(({ Metadata }) => Metadata.show()),
  'GET /geo_nodes/:id/status': byAdmin(async ({ GeoNodes }, { host, name }) => {
    const node = await host.replicaNodes.create({ name: name('node'), url: `https://${name('node')}.example.com` })
    await host.replicaNodes.report({ node: node.id, healthy: true })
    return GeoNodes.showStatus(node.id)
  }),
}

export const userCalls: ClientCalls = { ...accountCalls, ...tokenCalls, ...instanceCalls }

const pictureUrl = 'clients read the URL in `avatar_url` without the API'

export const unsupportedUserRoutes: UnsupportedRoutes = {
  'GET /version': noCall,
  'POST /user/personal_access_tokens': noCall,
  'POST /projects/:id/access_tokens/self/rotate': noCall,
  'POST /groups/:id/access_tokens/self/rotate': noCall,
  'GET /users/:id/emails/:email_id': noCall,
  'POST /user/gpg_keys/:key_id/revoke': noCall,
  'POST /users/:id/gpg_keys/:key_id/revoke': noCall,
  'PUT /user/avatar': noCall,
  'GET /uploads/-/system/user/avatar/:id/:filename': pictureUrl,
  'GET /uploads/-/system/project/avatar/:id/:filename': pictureUrl,
  'GET /uploads/-/system/group/avatar/:id/:filename': pictureUrl,
  'GET /uploads/-/system/projects/topic/avatar/:id/:filename': pictureUrl,
  'GET /uploads/-/system/appearance/logo/1/:filename': pictureUrl,
  'GET /uploads/-/system/appearance/header_logo/1/:filename': pictureUrl,
  'GET /uploads/-/system/appearance/favicon/1/:filename': pictureUrl,
  'GET /uploads/-/system/appearance/pwa_icon/1/:filename': pictureUrl,
}
