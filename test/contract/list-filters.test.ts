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
    expect(await found()).toEqual(['lone', 'shared'])
    await host.shares.add({ project: 'acme/web', withGroup: 'crew', accessLevel: 10 })
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
    const [bot, ...internal] = await names('exclude_humans=true')
    expect([bot, ...internal]).toEqual([expect.stringMatching(/^project_.*_bot/), 'ghost'])
    expect(await names('humans=true')).toContain('carol')
    for (const name of [bot, 'ghost']) expect(await names('humans=true')).not.toContain(name)
    expect(await names('exclude_internal=true')).toContain(bot)
    expect(await names('exclude_internal=true')).not.toContain('ghost')
    await forge.host.users.block({ user: 'lone' })
    expect(await names('exclude_active=true')).toEqual(['lone', 'ghost'])
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
    await issues.close({ project: 'acme/web', issue })
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
