import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

/** Filters of lists that narrow a result: each one returns less than the list without it. */

let forge: FakeForge
let send: Send
beforeAll(async () => {
  forge = await world({ seed: demoWithCode })
  send = client(forge)
})
afterAll(() => forge.close())

const list = async (path: string, as: string) => {
  const { status, body, headers } = await send(`GET ${path}`, { as })
  expect([path, status, headers.get('forgelet-unsupported-parameters')]).toEqual([path, 200, null])
  return body as { id: number; name?: string; username?: string }[]
}

test('labels are searched by name and description, with those of groups above', async () => {
  const { labels } = forge.as('alice')
  await labels.create({ project: 'acme/web', name: 'zebra', color: 'red', description: 'Striped horses' })
  await labels.create({ group: 'acme', name: 'Zebra group', color: 'red' })
  const names = async (search: string) =>
    (await list(`/projects/acme%2Fweb/labels?search=${search}`, 'alice')).map(({ name }) => name)
  expect(await names('ZEB')).toEqual(['Zebra group', 'zebra'].sort())
  expect(await names('horses')).toEqual(['zebra'])
  expect(await names('nothing-like-it')).toEqual([])
  expect((await list('/groups/acme/labels?search=zebra', 'alice')).map(({ name }) => name)).toEqual(['Zebra group'])
})

describe('administrators', () => {
  const names = async (query: string, as = 'root') =>
    (await list(`/users?${query}`, as)).map(({ username }) => username)

  test('find users by identity and by two-factor authentication', async () => {
    await forge.host.identities.link({ user: 'carol', provider: 'saml', externalUid: 'c-1' })
    expect(await names('extern_uid=c-1&provider=saml')).toEqual(['carol'])
    expect(await names('extern_uid=c-1&provider=other')).toEqual([])
    expect(await names('two_factor=enabled')).toEqual([])
    expect(await names('two_factor=disabled')).toContain('carol')
    expect(await send('GET /users?extern_uid=c-1', { as: 'root' })).toMatchObject({ status: 400 })
  })
})

test('lists of tokens, pipelines, projects and snippets are filtered by date', async () => {
  await forge.host.tokens.create({ user: 'bob', name: 'dated', scopes: ['api'], expiresAt: '2090-01-02' })
  const tokens = async (query: string) =>
    (await list(`/personal_access_tokens?${query}`, 'bob')).map(({ name }) => name)
  expect(await tokens('expires_after=2090-01-01')).toEqual(['dated'])
  expect(await tokens('expires_after=2090-01-02')).toEqual([])
  expect(await tokens('expires_before=2090-01-02')).toEqual([])

  await forge.host.pipelines.record({ project: 'acme/web', ref: 'main', sha: 'a'.repeat(40), jobs: [{ name: 'x' }] })
  await forge.as('bob').snippets.create({ title: 'x', fileName: 'x.txt', content: 'x' })
  for (const [path, field] of [
    ['/projects/acme%2Fweb/pipelines', 'created'],
    ['/projects', 'updated'],
    ['/snippets', 'created'],
  ] as const) {
    const of = path.includes('?') ? '&' : '?'
    expect(await list(`${path}${of}${field}_after=2000-01-01T00:00:00Z`, 'bob')).not.toEqual([])
    expect(await list(`${path}${of}${field}_before=2000-01-01T00:00:00Z`, 'bob')).toEqual([])
  }
})

test('active projects are those that are not archived', async () => {
  await forge.as('alice').projects.archive({ project: 'acme/web' })
  const ids = async (query: string) => (await list(`/projects?${query}`, 'alice')).map(({ id }) => id)
  const active = await ids('active=true')
  const inactive = await ids('active=false')
  expect(inactive).toHaveLength(1)
  expect(active).not.toContain(inactive[0])
  await forge.as('alice').projects.unarchive({ project: 'acme/web' })
})

test('an archive contains only the requested path', async () => {
  const base = '/projects/acme%2Fweb/repository'
  const tree = (await send(`GET ${base}/tree`)).body as { path: string; type: string }[]
  const folder = tree.find(({ type }) => type === 'tree')?.path as string
  const whole = await send(`GET ${base}/archive.tar`)
  const part = await send(`GET ${base}/archive.tar?path=${folder}`)
  expect(part.status).toBe(200)
  expect(part.headers.get('content-disposition')).toMatch(new RegExp(`-${folder}\\.tar"$`))
  const file = tree.find(({ type }) => type === 'blob')?.path as string
  expect(whole.text).toContain(`/${file}\0`)
  expect(part.text).not.toContain(`/${file}\0`)
  for (const path of ['nothing', '../web', '--output=x', ':(exclude)a']) {
    expect((await send(`GET ${base}/archive.tar?path=${encodeURIComponent(path)}`)).status, path).toBe(404)
  }
  expect(await send(`GET ${base}/archive?exclude_paths=${file}`)).toMatchObject({
    status: 400,
    body: { error: 'exclude_paths is not supported' },
  })
})

describe('users', () => {
  const names = async (query: string, as = 'root') =>
    (await list(`/users?per_page=100&${query}`, as)).map(({ username }) => username)

  test('without projects are those that no membership, group, share or namespace gives one', async () => {
    const { host } = forge
    for (const username of ['lone', 'direct', 'grouped', 'shared', 'owner']) await forge.make.user({ username })
    await host.members.add({ project: 'acme/web', users: ['direct'], accessLevel: 10 })
    await host.groups.create({ name: 'Crew', path: 'crew' })
    await host.members.add({ group: 'crew', users: ['shared'], accessLevel: 10 })
    await host.members.add({ group: 'acme', users: ['grouped'], accessLevel: 10 })
    await host.projects.create({ namespace: 'owner', name: 'Own', path: 'own' })
    const found = async () =>
      (await names('without_projects=true')).filter((name) =>
        ['lone', 'direct', 'grouped', 'shared', 'owner'].includes(String(name)),
      )
    expect(await found()).toEqual(['shared', 'lone'])
    await host.shares.create({ project: 'acme/web', withGroup: 'crew', accessLevel: 10 })
    expect(await found()).toEqual(['lone'])
    expect(await names('without_projects=true', 'carol')).toContain('direct')
  })

  test('are sorted, for administrators', async () => {
    await forge.make.user({ username: 'zz-first', name: 'Aaa Aaa' })
    expect((await names('order_by=name&sort=asc'))[0]).toBe('zz-first')
    expect((await names('order_by=username&sort=desc'))[0]).toBe('zz-first')
    expect((await names('order_by=created_at&sort=desc'))[0]).toBe('zz-first')
    expect((await names('order_by=updated_at&sort=desc'))[0]).toBe('zz-first')
    expect(await names('order_by=name&sort=asc', 'carol')).toEqual(await names('sort=asc', 'carol'))
    expect(await send('GET /users?order_by=email', { as: 'root' })).toMatchObject({ status: 400 })
  })

  test('are people, bots, inactive or known by their public address', async () => {
    const expiresAt = new Date(Date.now() + 9e8).toISOString().slice(0, 10)
    await forge.as('alice').accessTokens.create({ project: 'acme/web', name: 'robot', scopes: ['api'], expiresAt })
    await forge.make.user({ username: 'leaver' })
    await forge.host.issues.create({ project: 'acme/web', title: 'Left', author: 'leaver' })
    await forge.host.users.remove({ user: 'leaver' })
    await forge.platform.jobs.drain()
    expect(await names('username=ghost')).toEqual(['ghost'])
    const [bot, ...internal] = (await names('exclude_humans=true')).reverse()
    expect([bot, ...internal]).toEqual([expect.stringMatching(/^project_.*_bot/), 'ghost'])
    expect(await names('humans=true')).toContain('carol')
    for (const name of [bot, 'ghost']) expect(await names('humans=true')).not.toContain(name)
    expect(await names('exclude_internal=true')).toContain(bot)
    expect(await names('exclude_internal=true')).not.toContain('ghost')
    await forge.host.users.block({ user: 'lone' })
    expect(await names('exclude_active=true')).toEqual(['ghost', 'lone'])
    const carol = (await send('GET /user', { as: 'carol' })).body.id
    await send(`PUT /users/${carol}`, { as: 'root', json: { public_email: 'carol@public.example.com' } })
    expect(await names('public_email=CAROL@public.example.com', 'bob')).toEqual(['carol'])
    await forge.host.users.update({ user: 'carol', privateProfile: true })
    expect(await names('public_email=carol@public.example.com', 'bob')).toEqual([])
    expect(await names('public_email=carol@public.example.com')).toEqual(['carol'])
    await forge.host.users.update({ user: 'carol', privateProfile: false })
  })
})

test('environments are filtered by state', async () => {
  const { environments } = forge.as('bob')
  const { id } = await environments.create({ project: 'acme/web', name: 'off' })
  await environments.create({ project: 'acme/web', name: 'on' })
  await environments.stop({ project: 'acme/web', environment: id })
  const base = '/projects/acme%2Fweb/environments'
  expect((await list(`${base}?states=stopped`, 'bob')).map(({ name }) => name)).toEqual(['off'])
  expect((await list(`${base}?states=available`, 'bob')).map(({ name }) => name)).toEqual(['on'])
  expect(await send(`GET ${base}?states=broken`, { as: 'bob' })).toMatchObject({ status: 400 })
})

test('deployments are filtered by their end, in that order', async () => {
  await forge
    .as('bob')
    .deployments.create({ project: 'acme/web', environment: 'on', ref: 'main', sha: 'a'.repeat(40), status: 'failed' })
  const base = '/projects/acme%2Fweb/deployments?order_by=finished_at'
  expect(await list(`${base}&finished_after=2000-01-01T00:00:00Z`, 'bob')).toHaveLength(1)
  expect(await list(`${base}&finished_before=2000-01-01T00:00:00Z`, 'bob')).toEqual([])
  const unsorted = '/projects/acme%2Fweb/deployments?finished_after=2000-01-01T00:00:00Z'
  expect(await send(`GET ${unsorted}`, { as: 'bob' })).toMatchObject({ status: 400 })
})

test.each(['/projects/acme%2Fweb', '/groups/acme'])('no member of %s waits for an approval', async (base) => {
  expect(await list(`${base}/members/all?state=awaiting`, 'bob')).toEqual([])
  expect(await list(`${base}/members/all?state=active`, 'bob')).not.toEqual([])
  expect(await send(`GET ${base}/members/all?state=gone`, { as: 'bob' })).toMatchObject({ status: 400 })
})

test.each(['/projects/acme%2Fweb', '/groups/acme'])(
  'milestones of %s are filtered by their last change',
  async (base) => {
    await send(`POST ${base}/milestones`, { as: 'alice', json: { title: 'Dated' } })
    expect(await list(`${base}/milestones?updated_after=2000-01-01T00:00:00Z`, 'alice')).not.toEqual([])
    expect(await list(`${base}/milestones?updated_before=2000-01-01T00:00:00Z`, 'alice')).toEqual([])
    expect(await send(`GET ${base}/milestones?updated_after=now`, { as: 'alice' })).toMatchObject({ status: 400 })
  },
)

test('projects are searched by the paths of their namespaces on request', async () => {
  const paths = async (query: string, as = 'alice') =>
    ((await list(`/projects?${query}`, as)) as unknown as { path_with_namespace: string }[]).map(
      (project) => project.path_with_namespace,
    )
  expect(await paths('search=acme')).not.toContain('acme/web')
  expect(await paths('search=acme&search_namespaces=true')).toContain('acme/web')
  expect(await paths('search=tools&search_namespaces=true', 'mallory')).not.toContain('acme/tools/deploy')
})

test('lists of the projects of users and of forks are narrowed to the own ones', async () => {
  const owner = (await send('GET /user', { as: 'owner' })).body.id
  const path = `/users/${owner}/projects`
  expect(await list(`${path}?owned=true`, 'owner')).toHaveLength(1)
  expect(await list(`${path}?membership=true`, 'owner')).toHaveLength(1)
  expect(await list(`${path}?owned=true`, 'root')).toEqual([])
  expect(await list('/projects/acme%2Fweb/forks?owned=true', 'alice')).toEqual([])
})

describe('issues', () => {
  test('are filtered by who closed them', async () => {
    const { issues } = forge.as('bob')
    const { iid: issue } = await issues.create({ project: 'acme/web', title: 'Closed by bob' })
    await issues.update({ project: 'acme/web', issue, stateEvent: 'close' })
    const bob = (await send('GET /user', { as: 'bob' })).body.id
    const titles = async (id: number, as = 'bob') =>
      ((await list(`/projects/acme%2Fweb/issues?closed_by_id=${id}`, as)) as unknown as { title: string }[]).map(
        ({ title }) => title,
      )
    expect(await titles(bob)).toEqual(['Closed by bob'])
    expect(await titles(999_999)).toEqual([])
    await forge.as('alice').issues.update({ project: 'acme/web', issue, confidential: true })
    expect(await titles(bob, 'mallory')).toEqual([])
  })

  test('are filtered and counted by kinds of milestones', async () => {
    const count = async (query: string) =>
      (await send(`GET /projects/acme%2Fweb/issues_statistics?${query}`, { as: 'alice' })).body.statistics.counts.all
    const all = await count('')
    const some = await count('milestone_id=Any')
    expect(some).toBeGreaterThan(0)
    expect(await count('milestone_id=none')).toBe(all - some)
    expect(await count('not[milestone_id]=Any')).toBe(all - some)
    expect(await list('/projects/acme%2Fweb/issues?per_page=100&not[milestone_id]=Any', 'alice')).toHaveLength(
      all - some,
    )
    for (const query of ['milestone_id=7', 'not[milestone_id]=7', 'milestone=1.0&milestone_id=Any'])
      expect(await send(`GET /projects/acme%2Fweb/issues_statistics?${query}`, { as: 'alice' })).toMatchObject({
        status: 400,
      })
  })
})

/** A value of a field of every item that a list returns. */
const values = async (path: string, as: string, field: string) =>
  ((await list(path, as)) as unknown as Record<string, unknown>[]).map((item) => item[field])

describe('custom attributes', () => {
  beforeAll(async () => {
    const { customAttributes } = forge.host
    for (const owner of [{ user: 'carol' }, { group: 'acme/tools' }, { project: 'acme/web' }]) {
      await customAttributes.set({ ...owner, key: 'region', value: 'eu' })
      await customAttributes.set({ ...owner, key: 'plan', value: 'basic' })
    }
  })
  const both = 'custom_attributes[region]=eu&custom_attributes[plan]=basic'

  test.each([
    ['/users', 'username', 'carol'],
    ['/groups', 'full_path', 'acme/tools'],
    ['/groups/acme/subgroups', 'full_path', 'acme/tools'],
    ['/groups/acme/descendant_groups', 'full_path', 'acme/tools'],
    ['/projects', 'path_with_namespace', 'acme/web'],
    ['/groups/acme/projects', 'path_with_namespace', 'acme/web'],
  ])('filter %s for administrators', async (path, field, found) => {
    expect(await values(`${path}?${both}`, 'root', field)).toEqual([found])
    expect(await values(`${path}?custom_attributes[region]=us`, 'root', field)).toEqual([])
    const all = await values(path, 'alice', field)
    expect(await values(`${path}?custom_attributes[region]=us`, 'alice', field)).toEqual(all)
  })

  test('are part of users for administrators on request', async () => {
    const attributes = [
      { key: 'region', value: 'eu' },
      { key: 'plan', value: 'basic' },
    ]
    const carol = (await list('/users?username=carol', 'root'))[0]?.id
    expect(await values('/users?username=carol&with_custom_attributes=true', 'root', 'custom_attributes')).toEqual([
      attributes,
    ])
    const one = async (as: string, query = '?with_custom_attributes=true') =>
      (await send(`GET /users/${carol}${query}`, { as })).body
    expect(await one('root')).toMatchObject({ custom_attributes: attributes })
    expect(await one('root', '')).not.toHaveProperty('custom_attributes')
    for (const as of ['carol', 'bob']) expect(await one(as)).not.toHaveProperty('custom_attributes')
    expect(await values('/users?username=carol&with_custom_attributes=true', 'bob', 'custom_attributes')).toEqual([
      undefined,
    ])
  })
})

test('users are filtered by LDAP identities and by the SAML provider', async () => {
  const { host } = forge
  for (const username of ['from-ldap', 'from-saml']) await forge.make.user({ username })
  await host.identities.link({ user: 'from-ldap', provider: 'ldapmain', externalUid: 'uid=from-ldap' })
  await host.groups.create({ name: 'Sso', path: 'sso' })
  await host.sso.enable({ group: 'sso' })
  await host.members.add({ group: 'sso', users: ['from-saml'], accessLevel: 10 })
  await host.sso.linkIdentity({ group: 'sso', user: 'from-saml', externalUid: 'saml-1' })
  const user = (await list('/users?username=from-saml', 'root'))[0]
  const { body } = await send(`GET /users/${user?.id}`, { as: 'root' })
  const provider = body.identities[0].saml_provider_id
  expect(await values(`/users?saml_provider_id=${provider}`, 'root', 'username')).toEqual(['from-saml'])
  expect(await values(`/users?saml_provider_id=${provider + 1}`, 'root', 'username')).toEqual([])
  const others = await values('/users?skip_ldap=true&per_page=100', 'root', 'username')
  expect(others).toContain('from-saml')
  expect(others).not.toContain('from-ldap')
})

describe('labels and milestones below a group', () => {
  beforeAll(async () => {
    const { host } = forge
    await host.groups.create({ name: 'Below', path: 'below', visibility: 'public' })
    await host.groups.create({ name: 'Open', path: 'open', parent: 'below', visibility: 'public' })
    await host.groups.create({ name: 'Hidden', path: 'hidden', parent: 'below', visibility: 'private' })
    await host.projects.create({ namespace: 'below', name: 'P', path: 'p', visibility: 'public' })
    await host.projects.create({ namespace: 'below/open', name: 'Q', path: 'q', visibility: 'public' })
    await host.projects.create({ namespace: 'below/open', name: 'R', path: 'r', visibility: 'private' })
    const places = [
      { group: 'below' },
      { group: 'below/open' },
      { group: 'below/hidden' },
      { project: 'below/p' },
      { project: 'below/open/q' },
      { project: 'below/open/r' },
    ]
    for (const place of places) {
      const name = String(Object.values(place)[0])
      await host.labels.create({ ...place, name, color: 'red' })
      await host.milestones.create({ ...place, title: name })
    }
  })
  const labels = (query: string, as = 'bob') => values(`/groups/below/labels?${query}`, as, 'name')

  test('labels of subgroups and projects are included on request', async () => {
    expect(await labels('')).toEqual(['below'])
    expect(await labels('include_descendant_groups=true')).toEqual(['below', 'below/open'])
    expect(await labels('only_group_labels=false')).toEqual(['below', 'below/p'])
    const all = 'include_descendant_groups=true&only_group_labels=false'
    expect(await labels(all)).toEqual(['below', 'below/open', 'below/open/q', 'below/p'])
    expect(await labels(all, 'root')).toHaveLength(6)
    expect(await labels(`${all}&search=open/q`)).toEqual(['below/open/q'])
    expect(await labels(`${all}&include_ancestor_groups=false`)).toHaveLength(4)
  })

  test('a label of a subgroup or project is found on request', async () => {
    const find = async (name: string, query: string) =>
      (await send(`GET /groups/below/labels/${encodeURIComponent(name)}?${query}`, { as: 'bob' })).status
    expect(await find('below/open', '')).toBe(404)
    expect(await find('below/open', 'include_descendant_groups=true')).toBe(200)
    expect(await find('below/hidden', 'include_descendant_groups=true')).toBe(404)
    expect(await find('below/p', 'only_group_labels=false')).toBe(200)
    expect(await find('below/open/q', 'only_group_labels=false')).toBe(404)
  })

  test('milestones of subgroups and projects are included on request', async () => {
    const titles = (query: string, as = 'bob') => values(`/groups/below/milestones?${query}`, as, 'title')
    expect(await titles('')).toEqual(['below'])
    expect(await titles('include_descendents=true')).toEqual(['below/open/q', 'below/p', 'below/open', 'below'])
    expect(await titles('include_descendents=true', 'root')).toHaveLength(6)
    expect(await titles('include_descendents=true&search_title=open')).toEqual(['below/open/q', 'below/open'])
  })

  test('projects of the groups above are included on request', async () => {
    const paths = (query: string) => values(`/groups/below%2Fopen/projects?${query}`, 'bob', 'path')
    expect(await paths('')).toEqual(['q'])
    expect(await paths('include_ancestor_groups=true')).toEqual(['q', 'p'])
  })
})

test('milestones are filtered by title, day and period', async () => {
  const { milestones } = forge.as('alice')
  const project = 'acme/web'
  await milestones.create({
    project,
    title: 'early',
    startDate: '2040-01-01',
    dueDate: '2040-01-10',
    description: 'late',
  })
  await milestones.create({ project, title: 'late', startDate: '2040-02-01' })
  await milestones.create({ project, title: 'undated' })
  const titles = (query: string) => values(`/projects/acme%2Fweb/milestones?${query}`, 'alice', 'title')
  expect(await titles('search_title=late')).toEqual(['late'])
  expect(await titles('containing_date=2040-01-10')).toEqual(['early'])
  expect(await titles('containing_date=2040-03-01')).toEqual(['late'])
  expect(await titles('start_date=2040-01-05&end_date=2040-02-05')).toEqual(['late', 'early'])
  expect(await titles('start_date=2040-01-11&end_date=2040-01-12')).toEqual([])
  for (const invalid of [
    'start_date=2040-01-05',
    'containing_date=5',
    'containing_date=2040-01-01&start_date=2040-01-01&end_date=2040-01-01',
  ]) {
    expect(await send(`GET /projects/acme%2Fweb/milestones?${invalid}`, { as: 'alice' })).toMatchObject({ status: 400 })
  }
})

test('groups are top-level, active or archived', async () => {
  const paths = (path: string, query: string) => values(`${path}?${query}`, 'alice', 'full_path')
  for (const path of ['/groups/acme/subgroups', '/groups/acme/descendant_groups']) {
    const all = await paths(path, '')
    expect(all).not.toEqual([])
    expect(await paths(path, 'top_level_only=true')).toEqual([])
    for (const none of ['archived=true', 'active=false']) expect(await paths(path, none)).toEqual([])
    for (const every of ['archived=false', 'active=true']) expect(await paths(path, every)).toEqual(all)
  }
})

test('namespaces are searched by their full path on request', async () => {
  const paths = (query: string) => values(`/namespaces?search=acme/too&${query}`, 'root', 'full_path')
  expect(await paths('')).toEqual([])
  expect(await paths('full_path_search=true')).toEqual(['acme/tools'])
})

describe('epics', () => {
  beforeAll(async () => {
    const { epics, epicIssues, awardEmoji, issues } = forge.as('alice')
    await forge.as('alice').labels.create({ group: 'acme', name: 'roadmap', color: 'red' })
    await epics.create({ group: 'acme', title: 'Filtered one', labels: ['roadmap'] })
    const { iid } = await epics.create({ group: 'acme', title: 'Filtered two' })
    await forge.host.epics.create({ group: 'acme', title: 'Filtered three', author: 'carol', confidential: true })
    await awardEmoji.create({ group: 'acme', epic: iid, name: 'heart' })
    const { iid: issue } = await issues.create({ project: 'acme/web', title: 'In an epic' })
    await epicIssues.assign({ group: 'acme', epic: iid, issue: (await issues.get({ project: 'acme/web', issue })).id })
  })
  const titles = async (query: string, as = 'alice') =>
    (await values(`/groups/acme/epics?search=Filtered&sort=asc&${query}`, as, 'title')).map((title) =>
      String(title).replace('Filtered ', ''),
    )

  test('are filtered by the emoji of the current user', async () => {
    expect(await titles('')).toEqual(['one', 'two', 'three'])
    expect(await titles('my_reaction_emoji=heart')).toEqual(['two'])
    expect(await titles('my_reaction_emoji=Any')).toEqual(['two'])
    expect(await titles('my_reaction_emoji=None')).toEqual(['one', 'three'])
    expect(await titles('my_reaction_emoji=heart', 'root')).toEqual([])
  })

  test('are excluded by the same filters', async () => {
    expect(await titles('not[labels]=roadmap')).toEqual(['two', 'three'])
    expect(await titles('not[author_username]=CAROL')).toEqual(['one', 'two'])
    expect(await titles('not[labels]=roadmap&not[author_username]=carol')).toEqual(['two'])
    expect(await titles('not[my_reaction_emoji]=heart')).toEqual(['one', 'three'])
  })

  test('select issues, which are counted, too', async () => {
    const ids = await values('/groups/acme/epics?search=Filtered%20two', 'alice', 'id')
    const issues = (query: string, path = '/projects/acme%2Fweb/issues') =>
      values(`${path}?per_page=100&${query}`, 'alice', 'title')
    const all = await issues('')
    for (const path of ['/projects/acme%2Fweb/issues', '/groups/acme/issues', '/issues']) {
      expect(await issues(`epic_id=${ids[0]}&scope=all`, path)).toEqual(['In an epic'])
      expect(await issues('epic_id=Any&scope=all', path)).toContain('In an epic')
      expect(await issues('epic_id=99999&scope=all', path)).toEqual([])
    }
    expect(await issues('epic_id=None')).toEqual(all.filter((title) => title !== 'In an epic'))
    const { body } = await send(`GET /projects/acme%2Fweb/issues_statistics?epic_id=${ids[0]}`, { as: 'alice' })
    expect(body.statistics.counts.all).toBe(1)
    expect(await send('GET /issues?epic_id=x', { as: 'alice' })).toMatchObject({ status: 400 })
  })

  test('that the current user cannot read contain no issues', async () => {
    const [id] = await values('/groups/acme/epics?search=Filtered%20three', 'alice', 'id')
    const { id: issue } = await forge.host.issues.create({ project: 'acme/web', title: 'Hidden epic', author: 'alice' })
    const epics = (await forge.as('alice').epics.list({ group: 'acme', search: 'Filtered three' })).items
    await forge.as('alice').epicIssues.assign({ group: 'acme', epic: epics[0]?.iid as number, issue })
    const titlesFor = (as: string) => values(`/projects/acme%2Fweb/issues?epic_id=${id}`, as, 'title')
    expect(await titlesFor('alice')).toEqual(['Hidden epic'])
    await forge.make.user({ username: 'passer-by' })
    expect(await titlesFor('passer-by')).toEqual([])
  })
})

test('merge requests are filtered by the approvers that rules name', async () => {
  const path = '/projects/acme%2Fweb/merge_requests'
  const iids = (query: string) => values(`${path}?per_page=100&${query}`, 'alice', 'iid')
  const [first, ...others] = await iids('')
  expect(await iids('approver_ids=Any')).toEqual([])
  expect(await iids('approver_ids=None')).toEqual([first, ...others])
  const id = async (username: string) => (await list(`/users?username=${username}`, 'root'))[0]?.id as number
  const [bob, carol] = [await id('bob'), await id('carol')]
  const json = { name: 'Review', approvals_required: 1, user_ids: [bob, carol] }
  expect(await send(`POST ${path}/${first}/approval_rules`, { as: 'alice', json })).toMatchObject({ status: 201 })
  expect(await iids(`approver_ids[]=${bob}&approver_ids[]=${carol}`)).toEqual([first])
  expect(await iids(`approver_ids[]=${bob}&approver_ids[]=${await id('alice')}`)).toEqual([])
  expect(await iids('approver_ids=Any')).toEqual([first])
  expect(await iids('approver_ids=None')).toEqual(others)
  expect(await send(`GET ${path}?approver_ids[]=x`, { as: 'alice' })).toMatchObject({ status: 400 })
})

describe.each(['branches', 'tags'])('%s with keyset pagination', (kind) => {
  const path = `/projects/acme%2Fweb/repository/${kind}`
  beforeAll(async () => {
    for (const name of ['keyset-a', 'keyset-b', 'keyset-c']) {
      if (kind === 'branches')
        await forge.as('alice').branches.create({ project: 'acme/web', branch: name, ref: 'main' })
      else await forge.as('alice').tags.create({ project: 'acme/web', tagName: name, ref: 'main' })
    }
  })

  test('continue after the name in page_token', async () => {
    const names = async (query: string) => values(`${path}?search=keyset&${query}`, 'alice', 'name')
    const { headers } = await send(`GET ${path}?search=keyset&pagination=keyset&per_page=2`, { as: 'alice' })
    expect(headers.get('link')).toMatch(/page_token=keyset-b.*rel="next"/)
    expect(headers.get('x-total')).toBeNull()
    // Tags are listed from the newest: of the same commit, from the last name.
    const [first, last] = kind === 'tags' ? ['keyset-c', 'keyset-a'] : ['keyset-a', 'keyset-c']
    expect(await names('pagination=keyset&per_page=2')).toEqual([first, 'keyset-b'])
    expect(await names('pagination=keyset&per_page=2&page_token=keyset-b')).toEqual([last])
    expect(await names(`pagination=keyset&page_token=${last}`)).toEqual([])
  })

  test.each(['page_token=keyset-a', 'pagination=keyset&page_token=none', 'pagination=keyset&page=2'])(
    'reject %s',
    async (query) => {
      expect(await send(`GET ${path}?${query}`, { as: 'alice' })).toMatchObject({ status: 400 })
    },
  )
})
