import { createHash } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'
import { newSshKey } from './ssh-keys.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const web = '/projects/acme%2Fweb'
const idOf = async (user: string) => (await forge.host.users.get({ user })).id

describe('projects', () => {
  test('are created with settings, changed and deleted', async () => {
    const { id: namespace } = await forge.host.groups.get({ group: 'acme' })
    const json = {
      path: 'fresh',
      namespace_id: String(namespace),
      merge_method: 'ff',
      issues_enabled: false,
      topics: ['a'],
    }
    const { status, body } = await send('POST /projects', { as: 'alice', json })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'fresh',
      path_with_namespace: 'acme/fresh',
      merge_method: 'ff',
      issues_access_level: 'disabled',
      tag_list: ['a'],
      empty_repo: true,
      permissions: { group_access: { access_level: 50 } },
    })
    const changed = await send(`PUT /projects/${body.id}`, {
      as: 'alice',
      json: { name: 'Newer', squash_option: 'never' },
    })
    expect(changed.body).toMatchObject({ name: 'Newer', squash_option: 'never', merge_method: 'ff' })
    expect((await send(`GET /projects/${body.id}`, { as: 'alice' })).body).toEqual(changed.body)
    const removed = await send(`DELETE /projects/${body.id}`, { as: 'alice' })
    expect(removed).toMatchObject({ status: 202, body: { message: '202 Accepted' } })
    expect((await send(`GET /projects/${body.id}`, { as: 'alice' })).status).toBe(404)
  })

  test('have groups above them and groups that they can be shared with', async () => {
    const paths = async (path: string) =>
      (await send(`GET ${web}/${path}`, { as: 'alice' })).body.map((group: { full_path: string }) => group.full_path)
    expect(await paths('groups')).toEqual(['acme'])
    expect(await paths('share_locations')).not.toContain('acme')
  })

  test('have the access levels of the caller in lists', async () => {
    const { body: own } = await send('GET /projects?membership=true&order_by=id&sort=asc', { as: 'alice' })
    for (const { id, permissions } of own)
      expect(permissions).toEqual((await send(`GET /projects/${id}`, { as: 'alice' })).body.permissions)
    expect(own[0].permissions.group_access).toEqual({ access_level: 50, notification_level: 3 })
    const { body: visible } = await send('GET /projects?search=web')
    expect(visible[0]).toMatchObject({ path_with_namespace: 'acme/web' })
    expect(visible[0]).not.toHaveProperty('permissions')
    expect((await send('GET /projects?simple=true', { as: 'alice' })).body[0]).not.toHaveProperty('permissions')
  })

  test('require a name or a path, and a free one', async () => {
    expect((await send('POST /projects', { as: 'bob', json: {} })).body).toEqual({
      error: 'name, path are missing, at least one parameter must be provided',
    })
    const invalid = await send('POST /projects', { as: 'bob', json: { name: 'x', merge_method: 'magic' } })
    expect(invalid).toMatchObject({ status: 400, body: { error: 'merge_method does not have a valid value' } })
    const taken = await send('POST /projects', { as: 'alice', json: { name: 'web', namespace_id: 'acme' } })
    expect(taken).toMatchObject({ status: 409, body: { message: 'Path has already been taken' } })
  })

  test('start with a README on request', async () => {
    const json = { name: 'Hello', description: 'A project', initialize_with_readme: true }
    const { body } = await send('POST /projects', { as: 'bob', json })
    expect(body).toMatchObject({ path_with_namespace: 'bob/hello', default_branch: 'main', empty_repo: false })
    const { text } = await send(`GET /projects/${body.id}/repository/files/README.md/raw?ref=main`, { as: 'bob' })
    expect(text).toBe('# Hello\n\nA project\n')
  })

  test('are created for another user', async () => {
    const { body } = await send(`POST /projects/user/${await idOf('bob')}`, { as: 'root', json: { name: 'Gift' } })
    expect(body).toMatchObject({ path_with_namespace: 'bob/gift', creator_id: await idOf('bob') })
    const { body: list } = await send('GET /users/bob/projects?order_by=id', { as: 'bob' })
    expect(list[0]).toMatchObject({ id: body.id })
    expect(
      (await send(`GET /projects?id_after=${body.id - 1}&id_before=${body.id + 1}`, { as: 'bob' })).body,
    ).toMatchObject([{ id: body.id }])
  })

  test('are archived, starred and shared', async () => {
    expect((await send(`POST ${web}/archive`, { as: 'alice' })).body).toMatchObject({ archived: true })
    await forge.host.settings.update({ deletionAdjournedPeriod: 7 })
    const { id } = await forge.host.projects.create({ namespace: 'acme', path: 'gone', name: 'Gone' })
    await send(`DELETE /projects/${id}`, { as: 'alice' })
    expect((await send(`POST /projects/${id}/restore`, { as: 'alice' })).body).toMatchObject({ path: 'gone' })
    expect((await send(`POST ${web}/unarchive`, { as: 'alice' })).body).toMatchObject({ archived: false })
    expect((await send(`POST ${web}/star`, { as: 'bob' })).body).toMatchObject({ star_count: 1 })
    expect((await send(`POST ${web}/star`, { as: 'bob' })).status).toBe(304)
    expect((await send(`GET ${web}/starrers`, { as: 'bob' })).body).toMatchObject([{ user: { username: 'bob' } }])
    expect((await send('GET /users/bob/starred_projects', { as: 'bob' })).body).toMatchObject([
      { path_with_namespace: 'acme/web' },
    ])
    expect((await send(`POST ${web}/unstar`, { as: 'bob' })).body).toMatchObject({ star_count: 0 })
    const { body: users } = await send(`GET ${web}/users?search=bob`, { as: 'bob' })
    expect(users).toMatchObject([{ username: 'bob' }])
    const json = { group_id: 'acme/tools', group_access: 20 }
    expect((await send(`POST ${web}/share`, { as: 'alice', json })).body).toMatchObject({
      group_access: 20,
      expires_at: null,
    })
    expect((await send(`DELETE ${web}/share/acme%2Ftools`, { as: 'alice' })).status).toBe(204)
    expect((await send(`DELETE ${web}/share/acme%2Ftools`, { as: 'alice' })).status).toBe(404)
  })
})

describe('groups and namespaces', () => {
  test('a group is created, changed, shared and deleted', async () => {
    const { status, body } = await send('POST /groups', {
      as: 'bob',
      json: { name: 'Fresh', path: 'fresh', lfs_enabled: false },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ full_path: 'fresh', lfs_enabled: false, projects: [] })
    const json = { name: 'Below', path: 'below', parent_id: body.id }
    expect((await send('POST /groups', { as: 'bob', json })).body).toMatchObject({ full_path: 'fresh/below' })
    expect((await send('GET /groups/fresh/descendant_groups', { as: 'bob' })).body).toMatchObject([{ path: 'below' }])
    const changed = await send('PUT /groups/fresh', {
      as: 'bob',
      json: { description: 'Text', mentions_disabled: true },
    })
    expect(changed.body).toMatchObject({ description: 'Text', mentions_disabled: true, lfs_enabled: false })
    const share = { group_id: 'acme', group_access: 30 }
    expect((await send('POST /groups/fresh/share', { as: 'bob', json: share })).body).toMatchObject({
      shared_with_groups: [{ group_full_path: 'acme', group_access_level: 30 }],
    })
    expect((await send('DELETE /groups/fresh/share/acme', { as: 'bob' })).status).toBe(204)
    expect((await send('DELETE /groups/fresh', { as: 'bob' })).status).toBe(202)
    expect((await send('GET /groups/fresh', { as: 'bob' })).status).toBe(404)
  })

  test('namespaces are listed, read and checked', async () => {
    expect((await send('GET /namespaces?owned_only=true', { as: 'bob' })).body).toMatchObject([
      { full_path: 'bob', kind: 'user' },
    ])
    expect((await send('GET /namespaces/acme', { as: 'bob' })).body).toMatchObject({ kind: 'group', full_path: 'acme' })
    expect((await send('GET /namespaces/acme', { as: 'bob' })).body).not.toHaveProperty('projects_count')
    expect((await send('GET /namespaces/acme', { as: 'bob' })).body).not.toHaveProperty('plan')
    await forge.host.members.add({ project: 'acme/web', users: ['mallory'], accessLevel: 10 })
    await forge.host.users.block({ user: 'mallory' })
    const { body: owned } = await send('GET /namespaces/acme', { as: 'alice' })
    const listed = (await send('GET /namespaces?search=acme', { as: 'alice' })).body
    expect(listed).toContainEqual(owned)
    const { items: projects } = await forge.host.projects.list({ group: 'acme', includeSubgroups: true })
    expect(owned).toMatchObject({ projects_count: projects.length, root_repository_size: 0 })
    const { billable_members_count: seats } = owned
    expect(owned).toMatchObject({ plan: 'default', trial: false, trial_ends_on: null, seats_in_use: seats })
    expect((await send('GET /namespaces/acme%2Ftools', { as: 'alice' })).body).not.toHaveProperty('seats_in_use')
    expect(owned.members_count_with_descendants).toBe(owned.billable_members_count + 1)
    expect((await send('GET /namespaces/acme/exists', { as: 'bob' })).body).toEqual({
      exists: true,
      suggests: ['acme1'],
    })
    expect((await send('GET /namespaces/unknown/exists', { as: 'bob' })).body).toEqual({ exists: false, suggests: [] })
  })
})

describe('transfers', () => {
  test('of a project keep its labels and milestones', async () => {
    const labels = '/groups/acme/labels'
    await send(`POST ${labels}`, { as: 'alice', json: { name: 'shared', color: '#ff0000' } })
    const { body: milestone } = await send('POST /groups/acme/milestones', { as: 'alice', json: { title: 'v9' } })
    const json = { title: 'One', labels: ['shared', 'bug'], milestone_id: milestone.id }
    const { body: issue } = await send(`POST ${web}/issues`, { as: 'alice', json })
    const { body: group } = await send('POST /groups', { as: 'alice', json: { path: 'other', visibility: 'public' } })
    const { body: moved } = await send(`PUT ${web}/transfer`, { as: 'alice', json: { namespace: String(group.id) } })
    expect(moved).toMatchObject({ path_with_namespace: 'other/web', namespace: { full_path: 'other' } })
    expect((await send(`GET ${web}`, { as: 'alice' })).status).toBe(301)
    const { body: after } = await send(`GET /projects/other%2Fweb/issues/${issue.iid}`, { as: 'alice' })
    expect(after).toMatchObject({ labels: ['bug', 'shared'], milestone: { title: 'v9', project_id: moved.id } })
    const { body: own } = await send('GET /projects/other%2Fweb/labels/shared', { as: 'alice' })
    expect(own).toMatchObject({ name: 'shared', color: '#ff0000', is_project_label: true })
  })

  test('of a project require a free path in a namespace of the caller', async () => {
    const to = (namespace: string) => send(`PUT ${web}/transfer`, { as: 'alice', json: { namespace } })
    expect((await to('acme')).status).toBe(400)
    expect((await to('none')).status).toBe(404)
    const group = { path: 'research', parent_id: 'acme', visibility: 'public' }
    await send('POST /groups', { as: 'alice', json: group })
    await send('POST /projects', { as: 'alice', json: { path: 'web', namespace_id: 'acme/research' } })
    expect((await to('acme/research')).status).toBe(409)
  })
})

describe('users', () => {
  test('are created, changed, blocked and filtered by administrators', async () => {
    const json = {
      username: 'new',
      name: 'New',
      email: 'new@example.com',
      password: 'correct horse',
      bio: 'Text',
      projects_limit: 3,
    }
    const { body } = await send('POST /users', { as: 'root', json })
    expect(body).toMatchObject({ username: 'new', bio: 'Text', projects_limit: 3, is_admin: false, state: 'active' })
    const changed = await send(`PUT /users/${body.id}`, { as: 'root', json: { username: 'newer', admin: true } })
    expect(changed.body).toMatchObject({ username: 'newer', is_admin: true, bio: 'Text' })
    expect((await send('GET /users?admins=true&sort=desc', { as: 'root' })).body[0]).toMatchObject({
      username: 'newer',
    })
    expect(await send(`POST /users/${body.id}/block`, { as: 'root' })).toMatchObject({ status: 201, body: true })
    expect((await send('GET /users?blocked=true', { as: 'bob' })).body).toMatchObject([{ id: body.id }])
    expect((await send(`POST /users/${body.id}/unblock`, { as: 'root' })).body).toBe(true)
    expect((await send(`GET /users/${body.id}`, { as: 'bob' })).body).not.toHaveProperty('email')
    expect((await send(`GET /users/${body.id}`, { as: 'root' })).body).toMatchObject({ email: 'new@example.com' })
  })

  test('wait for an approval, and are approved or rejected', async () => {
    const create = async (username: string) => {
      const { id } = await forge.host.users.create({ username, pendingApproval: true })
      const { secret } = await forge.host.tokens.create({ user: username })
      return { path: `/users/${id}`, headers: { 'private-token': secret } }
    }
    const [first, second] = [await create('first'), await create('second')]
    const pending = 'Your account is pending approval from your administrator and hence blocked.'
    const refused = await send('GET /user', { headers: first.headers })
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining(pending) } })
    expect((await send(`GET ${first.path}`, { as: 'root' })).body.state).toBe('blocked_pending_approval')
    expect((await send(`POST ${first.path}/approve`, { as: 'bob' })).status).toBe(403)
    const approved = await send(`POST ${first.path}/approve`, { as: 'root' })
    expect(approved).toMatchObject({ status: 201, body: { message: 'Success' } })
    expect((await send('GET /user', { headers: first.headers })).body).toMatchObject({ state: 'active' })
    for (const action of ['approve', 'reject'])
      expect((await send(`POST ${first.path}/${action}`, { as: 'root' })).status).toBe(409)
    expect((await send(`POST ${second.path}/reject`, { as: 'root' })).body).toEqual({ message: 'Success' })
    expect((await send(`GET ${second.path}`, { as: 'root' })).status).toBe(404)
  })

  test('create top-level groups only where they may', async () => {
    const create = (path: string, parent_id?: number) =>
      send('POST /groups', { as: 'bob', json: { name: path, path, ...(parent_id && { parent_id }) } })
    const { body } = await create('allowed')
    expect((await send('GET /user', { as: 'bob' })).body.can_create_group).toBe(true)
    await send(`PUT /users/${await idOf('bob')}`, { as: 'root', json: { can_create_group: false } })
    expect((await create('refused')).status).toBe(403)
    expect((await create('below', body.id)).status).toBe(201)
  })

  test('have a day of their last activity, and times of their sign-ins', async () => {
    const day = () => new Date(forge.clock.now()).toISOString().slice(0, 10)
    await send('GET /user', { as: 'bob' })
    const bob = await idOf('bob')
    await expect.poll(async () => (await send(`GET /users/${bob}`, { as: 'root' })).body.last_activity_on).toBe(day())
    await forge.host.passwords.set({ user: 'carol', password: 'correct horse' })
    const signIn = async (password: string) => {
      await forge.host.passwords.verify({ username: 'carol', password })
      return (await send(`GET /users/${await idOf('carol')}`, { as: 'root' })).body
    }
    expect(await signIn('wrong horse')).toMatchObject({ current_sign_in_at: null })
    const { current_sign_in_at: first } = await signIn('correct horse')
    await forge.clock.advance({ days: 1 })
    const second = await signIn('correct horse')
    expect(second).toMatchObject({ last_sign_in_at: first, last_activity_on: day() })
    expect(second.current_sign_in_at > first).toBe(true)
  })

  test('are banned and deactivated, each only from a fitting state', async () => {
    const path = `/users/${await idOf('bob')}`
    const change = async (action: string) => {
      expect(await send(`POST ${path}/${action}`, { as: 'root' })).toMatchObject({ status: 201, body: true })
      return (await send(`GET ${path}`, { as: 'root' })).body
    }
    expect(await change('ban')).toMatchObject({ state: 'banned' })
    expect((await send('GET /user', { as: 'bob' })).status).toBe(403)
    expect((await send(`POST ${path}/activate`, { as: 'root' })).status).toBe(403)
    expect(await change('unban')).toMatchObject({ state: 'active' })
    expect(await change('deactivate')).toMatchObject({ state: 'deactivated' })
    expect((await send(`POST ${path}/unblock`, { as: 'root' })).status).toBe(403)
    expect(await change('activate')).toMatchObject({ state: 'active' })
    expect((await send('GET /user', { as: 'bob' })).status).toBe(200)
  })

  test('show a profile to all, the account to its user, and notes and addresses to administrators', async () => {
    const { id: root } = await forge.host.users.get({ user: 'root' })
    const profile = {
      bio: 'Builds',
      job_title: 'Engineer',
      organization: 'Acme',
      pronouns: 'they/them',
      discord: '1234567890123456789',
      github: 'peer',
      public_email: 'peer@example.org',
    }
    const json = { username: 'peer', email: 'peer@example.com', note: 'Trusted', ...profile }
    const { body } = await send('POST /users', { as: 'root', json })
    const namespace = await forge.host.namespaces.get({ namespace: 'peer' })
    expect(body).toMatchObject({ ...profile, note: 'Trusted', created_by: { id: root }, namespace_id: namespace.id })
    const path = `/users/${body.id}`
    const seen = (await send(`GET ${path}`, { as: 'bob' })).body
    expect(seen).toMatchObject({ ...profile, work_information: 'Engineer at Acme', followers: 0, is_followed: false })
    for (const field of ['email', 'note', 'is_admin', 'identities']) expect(seen).not.toHaveProperty(field)
    const { secret } = await forge.host.tokens.create({ user: 'peer' })
    const headers = { 'private-token': secret }
    const own = (await send('GET /user', { headers })).body
    expect(own).toMatchObject({ ...profile, email: 'peer@example.com', commit_email: 'peer@example.com' })
    for (const field of ['note', 'created_by', 'current_sign_in_ip']) expect(own).not.toHaveProperty(field)
    const listed = (await send('GET /users?username=peer', { as: 'root' })).body[0]
    expect(listed).toMatchObject({ ...profile, note: 'Trusted', using_license_seat: true, identities: [] })
    expect(listed).not.toHaveProperty('followers')
    expect((await send('GET /users?username=peer', { as: 'bob' })).body).toEqual([
      {
        id: body.id,
        username: 'peer',
        public_email: 'peer@example.org',
        name: 'peer',
        state: 'active',
        locked: false,
        avatar_url: expect.any(String),
        web_url: `${forge.url}/peer`,
      },
    ])
    await send(`PUT ${path}`, { as: 'root', json: { private_profile: true, job_title: '' } })
    const hidden = (await send(`GET ${path}`, { as: 'bob' })).body
    expect(hidden).toMatchObject({ work_information: 'Acme' })
    for (const field of ['created_at', 'followers', 'following', 'is_followed'])
      expect(hidden).not.toHaveProperty(field)
    expect((await send(`GET ${path}/followers`, { as: 'bob' })).status).toBe(403)
    expect((await send(`GET ${path}/followers`, { headers })).status).toBe(200)
  })

  test('are found by e-mail address, the private one by administrators only', async () => {
    await forge.host.users.update({ user: 'bob', publicEmail: 'bob@public.example' })
    const { body: email } = await send('POST /user/emails', { as: 'bob', json: { email: 'b@example.org' } })
    const find = async (as: string, search: string) =>
      (await send(`GET /users?search=${encodeURIComponent(search)}`, { as })).body.map(
        ({ username }: { username: string }) => username,
      )
    expect(await find('root', 'BOB@example.com')).toEqual(['bob'])
    expect(await find('root', email.email)).toEqual([])
    expect(await find('carol', 'bob@example.com')).toEqual([])
    expect(await find('carol', 'bob@public.example')).toEqual(['bob'])
    await forge.host.users.update({ user: 'bob', privateProfile: true })
    expect(await find('carol', 'bob@public.example')).toEqual([])
  })

  test('have identities, which another UID of the provider replaces', async () => {
    const json = { username: 'peer', provider: 'crm', extern_uid: '7' }
    const { body } = await send('POST /users', { as: 'root', json })
    expect(body.identities).toEqual([{ provider: 'crm', extern_uid: '7', saml_provider_id: null }])
    const change = (json: object) => send(`PUT /users/${body.id}`, { as: 'root', json })
    expect((await change({ provider: 'crm', extern_uid: '8' })).body.identities).toMatchObject([{ extern_uid: '8' }])
    expect((await change({ provider: 'crm' })).status).toBe(400)
    const other = { username: 'other', provider: 'crm', extern_uid: '8' }
    expect((await send('POST /users', { as: 'root', json: other })).status).toBe(409)
  })

  test('commit with an address of their own, or a private one', async () => {
    const id = await idOf('alice')
    const change = (commit_email: string) => send(`PUT /users/${id}`, { as: 'root', json: { commit_email } })
    const commit = async (path: string) => {
      const json = { branch: 'main', content: path, commit_message: 'Add' }
      await send(`POST ${web}/repository/files/${path}`, { as: 'alice', json })
      return (await send(`GET ${web}/repository/commits/main`, { as: 'alice' })).body.author_email
    }
    expect(await commit('one')).toBe('alice@example.com')
    expect((await change('else@example.com')).status).toBe(400)
    expect((await change('_private')).body.commit_email).toBe(`${id}-alice@users.noreply.localhost`)
    expect(await commit('two')).toBe(`${id}-alice@users.noreply.localhost`)
    expect((await change('')).body.commit_email).toBe('alice@example.com')
  })

  test('follow each other', async () => {
    const path = `/users/${await idOf('bob')}`
    const followed = await send(`POST ${path}/follow`, { as: 'carol' })
    expect(followed).toMatchObject({ status: 201, body: { username: 'bob' } })
    expect((await send(`POST ${path}/follow`, { as: 'carol' })).status).toBe(304)
    expect((await send(`POST ${path}/follow`, { as: 'bob' })).status).toBe(304)
    expect((await send(`GET ${path}`, { as: 'carol' })).body).toMatchObject({ followers: 1, is_followed: true })
    expect((await send(`GET ${path}/followers`, { as: 'alice' })).body).toMatchObject([{ username: 'carol' }])
    const following = await send(`GET /users/${await idOf('carol')}/following`, { as: 'alice' })
    expect(following.body).toMatchObject([{ username: 'bob' }])
    expect((await send('GET /user', { as: 'carol' })).body).toMatchObject({ followers: 0, following: 1 })
    expect(await send(`POST ${path}/unfollow`, { as: 'carol' })).toMatchObject({
      status: 201,
      body: { username: 'bob' },
    })
    expect((await send(`POST ${path}/unfollow`, { as: 'carol' })).status).toBe(304)
    expect((await send(`GET ${path}/followers`, { as: 'alice' })).body).toEqual([])
  })

  test('have preferences', async () => {
    const id = await idOf('bob')
    expect((await send('GET /user/preferences', { as: 'bob' })).body).toEqual({
      id,
      user_id: id,
      view_diffs_file_by_file: false,
      show_whitespace_in_diffs: true,
      pass_user_identities_to_ci_jwt: false,
    })
    const json = { view_diffs_file_by_file: true, show_whitespace_in_diffs: false }
    expect((await send('PUT /user/preferences', { as: 'bob', json })).body).toMatchObject(json)
    expect((await send('GET /user/preferences', { as: 'bob' })).body).toMatchObject(json)
    expect((await send('PUT /user/preferences', { as: 'bob', json: {} })).status).toBe(400)
  })

  test('lose their second factor, but administrators do not', async () => {
    const path = `/users/${await idOf('bob')}`
    expect((await send(`PATCH ${path}/disable_two_factor`, { as: 'root' })).status).toBe(400)
    await forge.host.users.update({ user: 'bob', twoFactorEnabled: true })
    expect((await send(`PATCH ${path}/disable_two_factor`, { as: 'root' })).status).toBe(204)
    expect((await send(`GET ${path}`, { as: 'root' })).body).toMatchObject({ two_factor_enabled: false })
    expect((await send(`PATCH /users/${await idOf('root')}/disable_two_factor`, { as: 'root' })).status).toBe(403)
  })

  test('have further e-mail addresses, which are confirmed before they receive mail', async () => {
    const { body: own } = await send('POST /user/emails', { as: 'bob', json: { email: 'b@example.org' } })
    expect(own).toEqual({ id: expect.any(Number), email: 'b@example.org', confirmed_at: null })
    expect((await send(`GET /user/emails/${own.id}`, { as: 'bob' })).body).toEqual(own)
    const path = `/users/${await idOf('bob')}/emails`
    const json = { email: 'c@example.org', skip_confirmation: true }
    const { body: confirmed } = await send(`POST ${path}`, { as: 'root', json })
    expect(confirmed).toMatchObject({ email: 'c@example.org', confirmed_at: expect.any(String) })
    expect((await send(`GET ${path}`, { as: 'root' })).body).toEqual([own, confirmed])
    expect((await send(`GET ${path}/${own.id}`, { as: 'root' })).body).toEqual(own)
    expect((await send(`GET /users/${await idOf('alice')}/emails/${own.id}`, { as: 'root' })).status).toBe(404)
    expect((await send('GET /user/emails', { as: 'bob' })).body).toEqual([own, confirmed])
    const notify = (email: string) =>
      send('PUT /notification_settings', { as: 'bob', json: { notification_email: email } })
    expect((await notify('b@example.org')).status).toBe(400)
    expect((await notify('c@example.org')).status).toBe(200)
    const taken = await send('POST /user/emails', { as: 'alice', json: { email: 'B@example.org' } })
    expect(taken).toMatchObject({ status: 409, body: { message: 'Email has already been taken' } })
    expect((await send('POST /user/emails', { as: 'bob', json: { email: 'none' } })).status).toBe(400)
    expect((await send(`DELETE ${path}/${confirmed.id}`, { as: 'root' })).status).toBe(204)
    expect((await send(`DELETE /user/emails/${own.id}`, { as: 'bob' })).status).toBe(204)
    expect((await send(`DELETE /user/emails/${own.id}`, { as: 'bob' })).status).toBe(404)
  })

  test('are no longer linked to a sign-in service', async () => {
    await forge.host.identities.link({ user: 'bob', provider: 'crm', externalUid: '7' })
    const path = `/users/${await idOf('bob')}/identities/crm`
    expect((await send(`DELETE ${path}`, { as: 'bob' })).status).toBe(403)
    expect((await send(`DELETE ${path}`, { as: 'root' })).status).toBe(204)
    expect((await send(`DELETE ${path}`, { as: 'root' })).status).toBe(404)
    expect(await forge.host.identities.list({ user: 'bob' })).toEqual([])
  })

  test('remove their picture', async () => {
    const { body } = await send('PUT /user/avatar', { as: 'bob', json: { avatar: '' } })
    expect(body.avatar_url).toMatch(/^https:\/\/www\.gravatar\.com\//)
  })

  test('have a status, which ends on request', async () => {
    const none = {
      emoji: 'speech_balloon',
      message: '',
      availability: 'not_set',
      message_html: '',
      clear_status_at: null,
    }
    expect((await send('GET /user/status', { as: 'bob' })).body).toEqual(none)
    const json = { emoji: 'coffee', message: '<b>Break</b>', availability: 'busy', clear_status_after: '30_minutes' }
    const { body } = await send('PUT /user/status', { as: 'bob', json })
    expect(body).toMatchObject({ emoji: 'coffee', availability: 'busy', message_html: '&lt;b&gt;Break&lt;/b&gt;' })
    expect((await send('GET /users/bob/status')).body).toEqual(body)
    await forge.clock.advance({ minutes: 31 })
    expect((await send('GET /users/bob/status')).body).toEqual(none)
  })

  test('are deleted, and a ghost keeps what they wrote', async () => {
    const issue = await forge.as('carol').issues.create({ project: 'acme/web', title: 'By carol' })
    const personal = await forge.as('carol').projects.create({ name: 'Own' })
    expect((await send(`DELETE /users/${await idOf('carol')}`, { as: 'root' })).status).toBe(204)
    const { body } = await send(`GET ${web}/issues/${issue.iid}`, { as: 'root' })
    expect(body).toMatchObject({ title: 'By carol', author: { username: 'ghost', state: 'blocked' } })
    expect((await send(`GET /projects/${personal.id}`, { as: 'root' })).status).toBe(404)
  })

  test('the only owner of a group is deleted with the group, on request', async () => {
    await forge.as('carol').groups.create({ name: 'Sole' })
    const path = `/users/${await idOf('carol')}`
    expect(await send(`DELETE ${path}`, { as: 'root' })).toMatchObject({
      status: 409,
      body: { message: 'User cannot be removed: the only owner of sole' },
    })
    expect((await send(`DELETE ${path}?hard_delete=true`, { as: 'root' })).status).toBe(204)
    expect((await send('GET /groups/sole', { as: 'root' })).status).toBe(404)
  })
})

describe('tokens', () => {
  test('of administrators act as the user, who cannot see them', async () => {
    const path = `/users/${await idOf('bob')}/impersonation_tokens`
    const { body } = await send(`POST ${path}`, { as: 'root', json: { name: 'support', scopes: ['api'] } })
    expect(body).toMatchObject({ impersonation: true, active: true, token: expect.stringMatching(/^fgpat-/) })
    const { token, ...shown } = body
    expect((await send('GET /user', { headers: { 'private-token': token } })).body).toMatchObject({ username: 'bob' })
    const used = { ...shown, last_used_at: expect.any(String) }
    // The use of a token is recorded after the reply.
    await vi.waitFor(async () => {
      expect((await send(`GET ${path}?state=active`, { as: 'root' })).body).toEqual([used])
    })
    expect((await send(`GET ${path}/${body.id}`, { as: 'root' })).body).toEqual(used)
    expect((await send(`GET /personal_access_tokens/${body.id}`, { as: 'bob' })).status).toBe(404)
    expect((await send(`DELETE ${path}/${body.id}`, { as: 'root' })).status).toBe(204)
    expect((await send('GET /user', { headers: { 'private-token': token } })).status).toBe(401)
  })

  test('of the current user have scopes that read nothing, and end tomorrow', async () => {
    const create = (scopes: readonly string[]) =>
      send('POST /user/personal_access_tokens', { as: 'bob', json: { name: 'rotation', scopes } })
    const { status, body } = await create(['self_rotate'])
    const tomorrow = new Date(Date.parse(body.created_at) + 86_400_000).toISOString().slice(0, 10)
    expect({ status, body }).toMatchObject({ status: 201, body: { scopes: ['self_rotate'], expires_at: tomorrow } })
    const headers = { 'private-token': body.token }
    expect((await send('GET /user', { headers })).status).toBe(403)
    expect((await send('POST /personal_access_tokens/self/rotate', { headers })).status).toBe(200)
    expect((await create(['api'])).status).toBe(400)
    expect(
      (await send('POST /user/personal_access_tokens', { json: { name: 'x', scopes: ['k8s_proxy'] } })).status,
    ).toBe(401)
  })

  test('of users are listed, rotated and revoked', async () => {
    const user = await idOf('bob')
    const create = async () =>
      (await send(`POST /users/${user}/personal_access_tokens`, { as: 'root', json: { name: 'ci', scopes: ['api'] } }))
        .body
    const headers = { 'private-token': (await create()).token }
    await send('GET /user', { headers })
    // The use of a token is recorded after the reply.
    const { body } = await vi.waitFor(async () => {
      const reply = await send('GET /personal_access_tokens/self', { headers })
      expect(reply.body.last_used_at).toEqual(expect.any(String))
      return reply
    })
    const self = { ...body, last_used_at: expect.any(String) }
    expect(self).toMatchObject({ name: 'ci', user_id: user, impersonation: false })
    expect((await send(`GET /personal_access_tokens/${self.id}`, { as: 'bob' })).body).toEqual(self)
    expect((await send('GET /personal_access_tokens', { as: 'bob' })).body).toContainEqual(self)
    const { body: named } = await send('GET /personal_access_tokens?search=missing&sort=name_desc', { as: 'bob' })
    expect(named).toEqual([])
    expect((await send(`GET /personal_access_tokens?user_id=${user}`, { as: 'carol' })).status).toBe(401)
    expect((await send(`GET /personal_access_tokens/${self.id}`, { as: 'carol' })).status).toBe(404)
    const rotated = await send('POST /personal_access_tokens/self/rotate', { headers })
    expect((await send('GET /user', { headers })).status).toBe(401)
    const again = await send(`POST /personal_access_tokens/${rotated.body.id}/rotate`, { as: 'bob' })
    expect((await send(`DELETE /personal_access_tokens/${again.body.id}`, { as: 'bob' })).status).toBe(204)
    const last = { 'private-token': (await create()).token }
    expect((await send('DELETE /personal_access_tokens/self', { headers: last })).status).toBe(204)
    expect((await send('GET /user', { headers: last })).status).toBe(401)
  })
})

test('the last activity of users is listed for administrators', async () => {
  await forge.host.users.update({ user: 'bob', lastActivityOn: '2020-05-01' })
  await forge.host.users.update({
    user: 'carol',
    lastActivityOn: new Date(forge.clock.now()).toISOString().slice(0, 10),
  })
  const { body: recent } = await send('GET /user/activities', { as: 'root' })
  const names = recent.map(({ username }: { username: string }) => username)
  expect([names.includes('carol'), names.includes('bob')]).toEqual([true, false])
  const { body: all } = await send('GET /user/activities?from=2020-05-01', { as: 'root' })
  expect(all[0]).toEqual({ username: 'bob', last_activity_on: '2020-05-01', last_activity_at: '2020-05-01' })
  expect((await send('GET /user/activities?from=yesterday', { as: 'root' })).status).toBe(400)
})

test('memberships, issues and merge requests are counted for the user and for administrators', async () => {
  const bob = `/users/${await idOf('bob')}`
  const path = `${bob}/associations_count`
  const { body } = await send(`GET ${path}`, { as: 'bob' })
  const { body: memberships } = await send(`GET ${bob}/memberships`, { as: 'root' })
  expect(body.groups_count + body.projects_count).toBe(memberships.length)
  await forge.as('bob').issues.create({ project: 'acme/web', title: 'One more' })
  const { body: after } = await send(`GET ${path}`, { as: 'root' })
  expect(after).toEqual({ ...body, issues_count: body.issues_count + 1 })
  expect((await send(`GET ${path}`, { as: 'carol' })).status).toBe(403)
})

test('a change of a status keeps the other fields', async () => {
  await send('PUT /user/status', { as: 'bob', json: { emoji: 'coffee', message: 'Lunch', availability: 'busy' } })
  const { body } = await send('PATCH /user/status', { as: 'bob', json: { message: 'Back at two' } })
  expect(body).toMatchObject({ emoji: 'coffee', message: 'Back at two', availability: 'busy', clear_status_at: null })
  const timed = await send('PATCH /user/status', { as: 'bob', json: { clear_status_after: '8_hours' } })
  expect(timed.body).toMatchObject({ message: 'Back at two', clear_status_at: expect.any(String) })
})

test('projects are listed in which a user was active within a year', async () => {
  const pathsOf = async (user: string, as: string) =>
    (await send(`GET /users/${user}/contributed_projects`, { as })).body.map(
      (project: { path_with_namespace: string }) => project.path_with_namespace,
    )
  await forge.host.users.create({ username: 'ines' })
  await forge.host.projects.create({ namespace: 'bob', name: 'quiet', visibility: 'public' })
  await forge.host.members.add({ project: 'acme/web', users: ['ines'], accessLevel: 30 })
  await forge.as('ines').issues.create({ project: 'acme/web', title: 'Contribution' })
  expect(await pathsOf('ines', 'alice')).toEqual(['acme/web'])
  await forge.clock.advance({ days: 400 })
  expect(await pathsOf('ines', 'alice')).toEqual([])
  expect((await send('GET /users/nobody/contributed_projects', { as: 'alice' })).status).toBe(404)
})

test('a token has a description, which rotation keeps', async () => {
  const id = await idOf('bob')
  const json = { name: 'ci', scopes: ['api'], description: 'For the nightly build' }
  const { body } = await send(`POST /users/${id}/personal_access_tokens`, { as: 'root', json })
  expect(body.description).toBe('For the nightly build')
  expect((await send(`POST /personal_access_tokens/${body.id}/rotate`, { as: 'root' })).body.description).toBe(
    'For the nightly build',
  )
  const access = await send(`POST ${web}/access_tokens`, { as: 'alice', json: { ...json, access_level: 30 } })
  expect((await send(`GET ${web}/access_tokens/${access.body.id}`, { as: 'alice' })).body.description).toBe(
    'For the nightly build',
  )
})

test('deploy keys are added, changed and removed', async () => {
  const path = `${web}/deploy_keys`
  const { body } = await send(`POST ${path}`, { as: 'alice', json: { title: 'CI', key: newSshKey('ci') } })
  expect(body).toMatchObject({ title: 'CI', can_push: false })
  expect((await send(`GET ${path}`, { as: 'alice' })).body).toEqual([body])
  expect((await send(`GET ${path}/${body.id}`, { as: 'alice' })).body).toEqual(body)
  const changed = await send(`PUT ${path}/${body.id}`, { as: 'alice', json: { title: 'Robot', can_push: true } })
  expect(changed.body).toEqual({ ...body, title: 'Robot', can_push: true })
  expect((await send('GET /deploy_keys', { as: 'root' })).body).toMatchObject([{ title: 'Robot' }])
  await forge.host.projects.create({ namespace: 'bob', name: 'second' })
  await forge.host.deployKeys.create({ project: 'bob/second', key: body.key })
  const shared = await send(`PUT ${path}/${body.id}`, { as: 'alice', json: { title: 'Mine' } })
  expect(shared.status).toBe(403)
  expect((await send(`DELETE ${path}/${body.id}`, { as: 'alice' })).status).toBe(204)
})

test('deploy keys are shared by maintainers of both projects, and public ones by all maintainers', async () => {
  await forge.host.projects.create({ namespace: 'bob', name: 'second' })
  const second = '/projects/bob%2Fsecond/deploy_keys'
  const { body: key } = await send(`POST ${web}/deploy_keys`, {
    as: 'alice',
    json: { title: 'CI', key: newSshKey('ci'), can_push: true },
  })
  const bytes = Buffer.from(key.key.split(' ')[1], 'base64')
  const sha256 = createHash('sha256').update(bytes).digest('base64').replace(/=+$/, '')
  const md5 = createHash('md5').update(bytes).digest('hex').match(/../g)?.join(':')
  expect(key).toMatchObject({ fingerprint: md5, fingerprint_sha256: `SHA256:${sha256}` })
  expect((await send(`POST ${second}/${key.id}/enable`, { as: 'bob' })).status).toBe(404)
  await forge.host.members.add({ project: 'bob/second', users: ['alice'], accessLevel: 40 })
  const enabled = await send(`POST ${second}/${key.id}/enable`, { as: 'alice' })
  expect(enabled).toMatchObject({ status: 201, body: { ...key, can_push: false } })
  const { body: all } = await send('GET /deploy_keys', { as: 'root' })
  expect(all).toMatchObject([
    {
      id: key.id,
      projects_with_write_access: [{ path_with_namespace: 'acme/web' }],
      projects_with_readonly_access: [{ path_with_namespace: 'bob/second' }],
    },
  ])
  const json = { title: 'Everywhere', key: newSshKey('all') }
  const { body: open } = await send('POST /deploy_keys', { as: 'root', json })
  expect((await send('GET /deploy_keys?public=true', { as: 'root' })).body).toEqual([open])
  expect((await send(`POST ${second}/${open.id}/enable`, { as: 'bob' })).status).toBe(201)
  const idsOf = async (user: string, as: string) => {
    const { body } = await send(`GET /users/${user}/project_deploy_keys`, { as })
    return body.map(({ id }: { id: number }) => id)
  }
  expect(await idsOf('alice', 'bob')).toEqual([key.id, open.id])
  expect(await idsOf('alice', 'alice')).toEqual([key.id, open.id])
  expect((await send('GET /users/carol/project_deploy_keys', { as: 'bob' })).status).toBe(403)
})

test('the groups of shares are listed by the place of the share', async () => {
  const list = async (path: string, as = 'root') =>
    (await send(`GET ${path}`, { as })).body.map(({ full_path }: { full_path: string }) => full_path)
  const { id: group } = await forge.host.groups.create({ path: 'shared-one', visibility: 'public' })
  await forge.host.groups.create({ parent: group, path: 'inner', visibility: 'public' })
  const { id: project } = await forge.host.projects.create({
    namespace: 'shared-one/inner',
    path: 'lab',
    visibility: 'public',
  })
  for (const path of ['invited-a', 'invited-b', 'invited-c'])
    await forge.host.groups.create({ path, visibility: 'public' })
  await forge.host.shares.create({ group: 'shared-one', withGroup: 'invited-a', accessLevel: 20 })
  await forge.host.shares.create({ group: 'shared-one/inner', withGroup: 'invited-b', accessLevel: 20 })
  await forge.host.shares.create({ project, withGroup: 'invited-c', accessLevel: 20 })
  expect(await list(`/projects/${project}/transfer_locations`)).toContain('invited-a')
  expect(await list(`/projects/${project}/invited_groups`)).toEqual(['invited-a', 'invited-b', 'invited-c'])
  expect(await list(`/projects/${project}/invited_groups?relation[]=direct`)).toEqual(['invited-c'])
  expect(await list(`/projects/${project}/invited_groups?search=invited-a`)).toEqual(['invited-a'])
  const inner = '/groups/shared-one%2Finner/invited_groups'
  expect(await list(inner)).toEqual(['invited-a', 'invited-b'])
  expect(await list(`${inner}?relation[]=direct`)).toEqual(['invited-b'])
  expect(await list(`${inner}?relation[]=inherited`)).toEqual(['invited-a'])
  await forge.host.members.add({ group: 'invited-b', users: ['bob'], accessLevel: 30 })
  expect(await list(`${inner}?min_access_level=30`, 'bob')).toEqual(['invited-b'])
})

everyRouteCalled(
  'projects',
  'users',
  'identities',
  'namespaces',
  'shares',
  'tokens',
  'deploy keys',
  'emails',
  'user statuses',
)
