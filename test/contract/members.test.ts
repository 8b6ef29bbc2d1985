import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let ids: Record<string, number>
beforeEach(async () => {
  forge = await world()
  send = client(forge)
  const { items } = await forge.host.users.list({ perPage: 100 })
  ids = Object.fromEntries(items.map(({ id, username }) => [username, id]))
})
afterEach(() => forge.close())

const bases = [
  {
    base: '/projects/acme%2Fweb/members',
    hidden: '/projects/acme%2Ftools%2Fdeploy/members',
    word: 'Project',
    member: 'carol',
  },
  { base: '/groups/acme/members', hidden: '/groups/acme%2Ftools/members', word: 'Group', member: 'bob' },
]
const [projects, groups] = bases as [(typeof bases)[number], (typeof bases)[number]]
const usernames = (body: { username: string }[]) => body.map(({ username }) => username)
const notFound = { message: '404 Not found' }
const forbidden = { message: '403 Forbidden' }

describe.each(bases)('$base', ({ base, hidden, word, member }) => {
  test('a member answers with the documented fields and no others', async () => {
    await send(`PUT ${base}/${ids[member]}`, { as: 'alice', json: { access_level: 30, expires_at: '2099-12-31' } })
    const { status, body } = await send(`GET ${base}/${ids[member]}`, { as: 'mallory' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: ids[member],
      username: member,
      name: expect.any(String),
      state: 'active',
      public_email: '',
      locked: false,
      avatar_url: expect.stringContaining('gravatar'),
      web_url: `${forge.url}/${member}`,
      access_level: 30,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      created_by: null,
      expires_at: '2099-12-31',
      membership_state: 'active',
    })
  })

  test('a member shows who added it, also in lists', async () => {
    const json = { user_id: ids.mallory, access_level: 20 }
    const { body } = await send(`POST ${base}`, { as: 'alice', json })
    expect(body).toMatchObject({ username: 'mallory', created_by: { id: ids.alice, username: 'alice' } })
    for (const path of [`${base}?user_ids[]=${ids.mallory}`, `${base}/all?user_ids[]=${ids.mallory}`])
      expect((await send(`GET ${path}`, { as: 'alice' })).body).toEqual([body])
    // Those of the seed were added by the host.
    expect((await send(`GET ${base}/${ids[member]}`, { as: 'alice' })).body).toHaveProperty('created_by', null)
  })

  test('lists are open to whoever is signed in and sees the place, never to anonymous callers', async () => {
    for (const path of [base, `${base}/all`, `${base}/${ids[member]}`, `${base}/all/${ids[member]}`]) {
      expect(await send(`GET ${path}`, { as: 'mallory' })).toMatchObject({ status: 200 })
      expect(await send(`GET ${path}`)).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } })
    }
  })

  test('adds, changes and removes', async () => {
    const json = { user_id: ids.mallory, access_level: 20, expires_at: '2099-01-02' }
    const added = await send(`POST ${base}`, { as: 'alice', json })
    expect(added).toMatchObject({ status: 200, body: { id: ids.mallory, access_level: 20, expires_at: '2099-01-02' } })
    expect(added.body).not.toHaveProperty('override')
    const path = `${base}/${ids.mallory}`
    const put = (change: object) => send(`PUT ${path}`, { as: 'alice', json: change })
    expect(await put({ access_level: 30 })).toMatchObject({ status: 200, body: { expires_at: '2099-01-02' } })
    expect(await put({ access_level: 30, expires_at: null })).toMatchObject({ status: 200, body: { expires_at: null } })
    expect(await send(`DELETE ${path}`, { as: 'alice', json: {} })).toMatchObject({ status: 204, text: '' })
    expect(await send(`DELETE ${path}`, { as: 'alice' })).toMatchObject({ status: 404, body: notFound })
  })

  test('adds users by username', async () => {
    const add = (json: object) => send(`POST ${base}`, { as: 'alice', json: { access_level: 20, ...json } })
    expect(await add({ username: 'mallory' })).toMatchObject({ status: 200, body: { id: ids.mallory } })
    expect(await add({ username: 'nobody-else' })).toMatchObject({ status: 404 })
    for (const json of [{ username: 'bob', user_id: 1 }, { username: String(ids.bob) }])
      expect(await add(json)).toMatchObject({ status: 400, body: { error: 'user_id is invalid' } })
    await forge.host.users.create({ username: 'newcomer' })
    const several = { username: 'newcomer, erin', invite_source: 'script' }
    expect((await add(several)).body).toEqual({ status: 'success' })
  })

  test('show_seat_info adds whether a member is an active person', async () => {
    for (const path of [base, `${base}/all`]) {
      const { body } = await send(`GET ${path}?show_seat_info=true`, { as: 'alice' })
      expect(body).toContainEqual(expect.objectContaining({ username: member, is_using_seat: true }))
    }
    await forge.host.users.block({ user: member })
    const shown = await send(`GET ${base}?show_seat_info=true&user_ids[]=${ids[member]}`, { as: 'alice' })
    expect(shown.body).toMatchObject([{ state: 'blocked', is_using_seat: false }])
    const plain = await send(`GET ${base}?user_ids[]=${ids[member]}`, { as: 'alice' })
    expect(plain.body[0]).not.toHaveProperty('is_using_seat')
  })

  test('with_saml_identity lists those with an identity of the group, for those who manage members', async () => {
    const query = `${base}?with_saml_identity=true`
    expect((await send(`GET ${query}`, { as: 'alice' })).body).toEqual([])
    await forge.host.sso.enable({ group: 'acme' })
    await forge.host.sso.linkIdentity({ group: 'acme', user: member, externalUid: 'uid-1' })
    expect(usernames((await send(`GET ${query}`, { as: 'alice' })).body)).toEqual([member])
    expect((await send(`GET ${query}`, { as: 'mallory' })).status).toBe(403)
  })

  test('takes forms and queries as well as JSON; an empty date is none', async () => {
    const form = { user_id: String(ids.mallory), access_level: '20', expires_at: '2099-01-02' }
    expect(await send(`POST ${base}`, { as: 'alice', form })).toMatchObject({ status: 200, body: { access_level: 20 } })
    const put = await send(`PUT ${base}/${ids.mallory}?access_level=30`, { as: 'alice', form: { expires_at: '' } })
    expect(put).toMatchObject({ status: 200, body: { access_level: 30, expires_at: null } })
  })

  describe('what is wrong is said in the documented words', () => {
    const listed = { message: { access_level: ['is not included in the list'] } }
    const cases: [string, string, object | undefined, number, unknown][] = [
      ['nothing given', 'POST', {}, 400, { error: 'user_id is missing, access_level is missing' }],
      ['no level', 'POST', { user_id: 1 }, 400, { error: 'access_level is missing' }],
      ['no user', 'POST', { access_level: 30 }, 400, { error: 'user_id is missing' }],
      ['a username', 'POST', { user_id: 'mallory', access_level: 30 }, 400, { error: 'user_id is invalid' }],
      ['a null user', 'POST', { user_id: null, access_level: 30 }, 400, { error: 'user_id is invalid' }],
      ['an empty user', 'POST', { user_id: '', access_level: 30 }, 400, { error: 'user_id is invalid' }],
      ['a user in pieces', 'POST', { user_id: 1.5, access_level: 30 }, 400, { error: 'user_id is invalid' }],
      ['an empty list', 'POST', { user_id: [], access_level: 30 }, 400, { error: 'user_id is invalid' }],
      ['a list with a name', 'POST', { user_id: '1,bob', access_level: 30 }, 400, { error: 'user_id is invalid' }],
      ['an unknown user', 'POST', { user_id: 99999, access_level: 30 }, 404, { message: '404 User Not Found' }],
      [
        'a level that is a word',
        'POST',
        { user_id: 1, access_level: 'owner' },
        400,
        { error: 'access_level is invalid' },
      ],
      ['a level with a blank', 'POST', { user_id: 1, access_level: '40 ' }, 400, { error: 'access_level is invalid' }],
      ['a level in pieces', 'POST', { user_id: 1, access_level: 30.5 }, 400, { error: 'access_level is invalid' }],
      ['a level of null', 'POST', { user_id: 1, access_level: null }, 400, { error: 'access_level is invalid' }],
      ['level 60', 'POST', { user_id: 1, access_level: 60 }, 400, listed],
      ['level 45', 'POST', { user_id: 1, access_level: 45 }, 400, listed],
      ['level 0', 'POST', { user_id: 1, access_level: 0 }, 400, listed],
      [
        'a day that is none',
        'POST',
        { user_id: 1, access_level: 30, expires_at: '2026-02-30' },
        400,
        { error: 'expires_at is invalid' },
      ],
      [
        'a day in words',
        'POST',
        { user_id: 1, access_level: 30, expires_at: 'tomorrow' },
        400,
        { error: 'expires_at is invalid' },
      ],
      ['a page that is no number', 'GET ?page=x', undefined, 400, { error: 'page is invalid' }],
      ['a page size of nothing', 'GET ?per_page=0', undefined, 400, { error: 'per_page has a value not allowed' }],
      ['ids that are none', 'GET ?user_ids[]=x', undefined, 400, { error: 'user_ids is invalid' }],
      ['a member by name', 'GET /mallory', undefined, 400, { error: 'user_id is invalid' }],
      ['a member by name in all', 'GET /all/mallory', undefined, 400, { error: 'user_id is invalid' }],
      ['no such member', 'GET /99999', undefined, 404, notFound],
      ['no such member in all', 'GET /all/99999', undefined, 404, notFound],
      ['a change without a level', 'PUT /1', {}, 400, { error: 'access_level is missing' }],
      ['a change of no member', 'PUT /99999', { access_level: 30 }, 404, notFound],
      ['a removal of no member', 'DELETE /99999', undefined, 404, notFound],
    ]
    test.each(cases)('%s', async (_name, line, json, status, body) => {
      const [method, rest = ''] = line.split(' ') as [string, string?]
      const response = await send(`${method} ${base}${rest}`, { as: 'alice', ...(json && { json }) })
      expect({ status: response.status, body: response.body }).toEqual({ status, body })
    })
  })

  test('who is a member already is a conflict', async () => {
    const json = { user_id: ids[member], access_level: 40 }
    expect(await send(`POST ${base}`, { as: 'alice', json })).toMatchObject({
      status: 409,
      body: { message: 'Member already exists' },
    })
  })

  test('input is judged before the place, the place before the role, the role before the member', async () => {
    expect(await send(`POST ${hidden}`, { json: {} })).toMatchObject({ status: 401 })
    expect(await send(`POST ${hidden}`, { as: 'mallory', json: {} })).toMatchObject({ status: 400 })
    const json = { user_id: 99999, access_level: 99 }
    expect(await send(`POST ${hidden}`, { as: 'mallory', json })).toMatchObject({
      status: 404,
      body: { message: `404 ${word} Not Found` },
    })
    expect(await send(`POST ${base}`, { as: 'mallory', json })).toMatchObject({ status: 403, body: forbidden })
    for (const user of [ids[member], 99999]) {
      const put = await send(`PUT ${base}/${user}`, { as: 'dave', json: { access_level: 10 } })
      expect(put).toMatchObject({ status: 403, body: forbidden })
      expect(await send(`DELETE ${base}/${user}`, { as: 'dave' })).toMatchObject({ status: 403, body: forbidden })
    }
  })

  test('a place that is hidden answers byte for byte like one that is missing', async () => {
    const missing = hidden.replace(/^(\/[a-z]+\/).*(\/members)$/, '$1acme%2Fnothing$2')
    const json = { user_id: 1, access_level: 30 }
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '/all'],
      ['GET', '/1'],
      ['GET', '/all/1'],
      ['POST', ''],
      ['PUT', '/1'],
      ['DELETE', '/1'],
      ['DELETE', `/${ids.mallory}`],
    ] as const) {
      const options = { as: 'mallory', ...(method !== 'GET' && { json }) }
      const one = await send(`${method} ${hidden}${rest}`, options)
      const other = await send(`${method} ${missing}${rest}`, options)
      expect(one.status).toBe(404)
      expect(one.text).toBe(other.text)
      expect([...one.headers.keys()]).toEqual([...other.headers.keys()])
    }
  })

  test('a member who was changed meanwhile is not removed', async () => {
    const path = `${base}/${ids[member]}`
    const long = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' }
    expect(await send(`DELETE ${path}`, { as: 'alice', headers: long })).toMatchObject({
      status: 412,
      body: { message: '412 Precondition Failed' },
    })
    const later = { 'If-Unmodified-Since': 'Tue, 01 Jan 2097 00:00:00 GMT' }
    expect(await send(`DELETE ${path}`, { as: 'alice', headers: later })).toMatchObject({ status: 204 })
  })
})

test('a search and a list of ids narrow a list; every spelling of a list is read', async () => {
  const found = async (query: string) => usernames((await send(`GET ${projects.base}${query}`, { as: 'mallory' })).body)
  expect(await found('')).toEqual(['carol', 'dave'])
  expect(await found('?query=DANVERS')).toEqual(['carol'])
  expect(await found('?query=da')).toEqual([])
  expect(await found('?query=carol%40example.com')).toEqual([])
  expect(await found(`?user_ids[]=${ids.dave}&user_ids[]=${ids.alice}`)).toEqual(['dave'])
  expect(await found(`?user_ids=${ids.dave},${ids.carol}`)).toEqual(['carol', 'dave'])
  expect(await found(`?user_ids=${ids.dave}&user_ids=${ids.alice}`)).toEqual(['dave'])
  expect(await found(`/all?user_ids=${ids.alice}`)).toEqual(['alice'])
  expect(await found(`?skip_users[]=${ids.dave}`)).toEqual(['carol'])
  expect(await found(`?user_ids=${ids.dave},${ids.carol}&skip_users=${ids.carol}`)).toEqual(['dave'])
  expect(await found(`/all?user_ids=${ids.alice},${ids.bob}&skip_users=${ids.alice}`)).toEqual(['bob'])
})

test('a search does not find people by their addresses', async () => {
  await forge.host.users.update({ user: 'alice', email: 'wonderland@example.com' })
  for (const query of ['wonderland', 'example.com', 'wonderland@example.com']) {
    for (const path of [projects.base, `${projects.base}/all`, groups.base]) {
      expect((await send(`GET ${path}?query=${query}`, { as: 'dave' })).body).toEqual([])
    }
  }
})

test('lists have paging headers, with links that repeat the parameters', async () => {
  const { headers, body } = await send(`GET ${projects.base}/all?per_page=2&page=2&query=`, { as: 'alice' })
  expect(body).toHaveLength(2)
  expect(headers.get('x-total')).toBe('5')
  expect(headers.get('x-total-pages')).toBe('3')
  expect(headers.get('x-prev-page')).toBe('1')
  expect(headers.get('x-next-page')).toBe('3')
  expect(headers.get('link')).toMatch(/members\/all\?id=acme%2Fweb&page=1&per_page=2&query=>; rel="prev"/)
})

test('the whole list has everybody once, with the nearest level; the direct one does not know the others', async () => {
  const { body } = await send(`GET ${projects.base}/all`, { as: 'alice' })
  const levels = body.map(({ username, access_level }: { username: string; access_level: number }) => [
    username,
    access_level,
  ])
  expect(levels).toEqual([
    ['alice', 50],
    ['bob', 30],
    ['carol', 20],
    ['dave', 10],
    ['erin', 20],
  ])
  expect(await send(`GET ${projects.base}/${ids.bob}`, { as: 'mallory' })).toMatchObject({
    status: 404,
    body: notFound,
  })
  expect(await send(`GET ${projects.base}/all/${ids.bob}`, { as: 'mallory' })).toMatchObject({ status: 200 })
})

test('level 50 is for groups only', async () => {
  const json = { user_id: ids.mallory, access_level: 50 }
  expect(await send(`POST ${projects.base}`, { as: 'alice', json })).toMatchObject({
    status: 400,
    body: { message: { access_level: ['is not included in the list'] } },
  })
  expect(await send(`POST ${groups.base}`, { as: 'alice', json })).toMatchObject({ status: 200 })
})

test('a level below the inherited one is refused, an equal one is not', async () => {
  const post = (access_level: number) =>
    send(`POST ${projects.base}`, { as: 'alice', json: { user_id: ids.bob, access_level } })
  const text = 'should be greater than or equal to Developer inherited membership from group Acme'
  expect(await post(20)).toMatchObject({ status: 400, body: { message: { access_level: [text] } } })
  expect(await post(30)).toMatchObject({ status: 200, body: { access_level: 30 } })
})

test('the last owner of a group cannot be changed, removed or leave', async () => {
  const path = `${groups.base}/${ids.alice}`
  for (const as of ['alice', 'root']) {
    expect(await send(`DELETE ${path}`, { as })).toMatchObject({ status: 403, body: forbidden })
    const put = await send(`PUT ${path}`, { as, json: { access_level: 40 } })
    expect(put).toMatchObject({ status: 403, body: forbidden })
  }
})

test('the owner of a personal project has level 40 there and cannot be changed or removed', async () => {
  const path = `/projects/bob%2Fnotes/members/${ids.bob}`
  expect(await send(`GET ${path}`, { as: 'bob' })).toMatchObject({ status: 200, body: { access_level: 40 } })
  for (const as of ['bob', 'root']) {
    expect(await send(`DELETE ${path}`, { as })).toMatchObject({ status: 403, body: forbidden })
    const put = await send(`PUT ${path}`, { as, json: { access_level: 30 } })
    expect(put).toMatchObject({ status: 403, body: forbidden })
  }
})

test('whoever leaves a project does so alone; somebody who is no member cannot', async () => {
  expect(await send(`DELETE ${projects.base}/${ids.dave}`, { as: 'dave' })).toMatchObject({ status: 204 })
  expect(await send(`DELETE ${projects.base}/${ids.mallory}`, { as: 'mallory' })).toMatchObject({
    status: 404,
    body: notFound,
  })
})

test('going from a group takes the memberships below along', async () => {
  const below = '/projects/acme%2Fweb/members'
  await send(`POST ${below}`, { as: 'alice', json: { user_id: ids.bob, access_level: 40 } })
  expect(await send(`DELETE ${groups.base}/${ids.bob}`, { as: 'alice' })).toMatchObject({ status: 204 })
  expect(await send(`GET ${below}/${ids.bob}`, { as: 'alice' })).toMatchObject({ status: 404, body: notFound })
})

test('a directory-synced member can be overridden; others cannot', async () => {
  const path = `${groups.base}/${ids.bob}/override`
  expect(await send(`POST ${path}`, { as: 'alice' })).toMatchObject({ status: 403, body: forbidden })
  await forge.host.members.sync({ group: 'acme', user: 'bob', accessLevel: 30 })
  const put = () => send(`PUT ${groups.base}/${ids.bob}`, { as: 'alice', json: { access_level: 40 } })
  expect(await put()).toMatchObject({ status: 403, body: forbidden })
  expect(await send(`POST ${path}`, { as: 'alice' })).toMatchObject({
    status: 200,
    body: { id: ids.bob, override: true },
  })
  expect(await put()).toMatchObject({ status: 200, body: { access_level: 40, override: true } })
  expect(await send(`DELETE ${path}`, { as: 'alice' })).toMatchObject({
    status: 200,
    body: { access_level: 40, override: false },
  })
  expect(await send(`POST ${groups.base}/99999/override`, { as: 'alice' })).toMatchObject({
    status: 404,
    body: notFound,
  })
  expect(await send(`POST ${projects.base}/${ids.carol}/override`, { as: 'alice' })).toMatchObject({
    status: 404,
    body: { error: '404 Not Found' },
  })
})

test('a share gives at most its level, on a private project too', async () => {
  const deploy = { project: 'acme/tools/deploy' }
  await forge.host.shares.create({ ...deploy, withGroup: 'partners', accessLevel: 20 })
  const path = '/projects/acme%2Ftools%2Fdeploy'
  expect(await send(`GET ${path}/members/all/${ids.erin}`, { as: 'erin' })).toMatchObject({
    status: 200,
    body: { access_level: 20 },
  })
  // A reporter, and no more: labels yes, members no.
  const label = await send(`POST ${path}/labels`, { as: 'erin', json: { name: 'x', color: 'red' } })
  expect(label.status).toBe(200)
  const member = await send(`POST ${path}/members`, { as: 'erin', json: { user_id: ids.mallory, access_level: 10 } })
  expect(member.status).toBe(403)
})

test('a token for reading reads members and does not change them', async () => {
  await forge.host.tokens.create({ user: 'alice', secret: 'read-only', scopes: ['read_api'] })
  const headers = { 'private-token': 'read-only' }
  expect(await send(`GET ${projects.base}`, { headers })).toMatchObject({ status: 200 })
  expect(await send(`DELETE ${projects.base}/${ids.dave}`, { headers })).toMatchObject({
    status: 403,
    body: { error: 'insufficient_scope' },
  })
})

describe('several users at once', () => {
  const base = projects.base

  test('become members together', async () => {
    const json = { user_id: `${ids.mallory}, ${ids.erin}`, access_level: 20 }
    expect(await send(`POST ${base}`, { as: 'alice', json })).toMatchObject({
      status: 200,
      body: { status: 'success' },
    })
    const { body } = await send(`GET ${base}`, { as: 'alice' })
    expect(usernames(body as never)).toEqual(expect.arrayContaining(['mallory', 'erin']))
  })

  test('are told apart from those who are members already', async () => {
    const json = { user_id: [ids.mallory, ids.carol], access_level: 20 }
    expect(await send(`POST ${base}`, { as: 'alice', json })).toMatchObject({
      status: 200,
      body: { status: 'error', message: { carol: 'Member already exists' } },
    })
    const { body } = await send(`GET ${base}/${ids.mallory}`, { as: 'alice' })
    expect(body).toMatchObject({ access_level: 20 })
  })
})

test('the users of a project are its members of all levels', async () => {
  const { status, body } = await send('GET /projects/acme%2Fweb/users?query=bob', { as: 'bob' })
  expect(status).toBe(200)
  expect(body).toEqual(expect.arrayContaining([expect.objectContaining({ username: 'bob', state: 'active' })]))
  expect(body[0]).not.toHaveProperty('access_level')
  const others = await send(`GET /projects/acme%2Fweb/users?skip_users[]=${ids.bob}`, { as: 'bob' })
  expect(usernames(others.body)).not.toContain('bob')
  expect(usernames(others.body)).toContain('carol')
})

test('the memberships of a user are listed for administrators', async () => {
  const { status, body } = await send(`GET /users/${ids.bob}/memberships`, { as: 'root' })
  expect(status).toBe(200)
  const types = new Set(body.map(({ source_type }: { source_type: string }) => source_type))
  for (const type of types) {
    const { body: some } = await send(`GET /users/${ids.bob}/memberships?type=${type}`, { as: 'root' })
    expect(some).toEqual(body.filter(({ source_type }: { source_type: string }) => source_type === type))
  }
  const { id: project } = await forge.host.projects.get({ project: 'acme/web' })
  await forge.host.members.add({ project: 'acme/web', users: ['mallory'], accessLevel: 20 })
  expect((await send(`GET /users/${ids.mallory}/memberships`, { as: 'root' })).body).toEqual([
    { source_id: project, source_name: 'Web', source_type: 'Project', access_level: 20 },
  ])
  expect((await send(`GET /users/${ids.bob}/memberships?type=Group`, { as: 'root' })).status).toBe(400)
  expect((await send('GET /users/999999/memberships', { as: 'root' })).status).toBe(404)
})

describe('DELETE /groups/:id/members/:user_id', () => {
  const remove = (query: string) => send(`DELETE /groups/acme/members/${ids.dave}?${query}`, { as: 'alice' })

  const prepare = async () => {
    for (const place of [{ group: 'acme' }, { group: 'acme/tools' }, { project: 'acme/web' }])
      await forge.host.members.add({ ...place, users: ['dave'], accessLevel: 40 }).catch(() => undefined)
    const assignees = ['dave', 'bob']
    const { issue } = forge.make
    return issue({ project: 'acme/web', assignees })
  }

  test('skip_subresources keeps the memberships below', async () => {
    await prepare()
    expect((await remove('skip_subresources=true')).status).toBe(204)
    expect((await send(`GET /groups/acme%2Ftools/members/${ids.dave}`, { as: 'alice' })).status).toBe(200)
    expect((await send(`GET /groups/acme/members/${ids.dave}`, { as: 'alice' })).status).toBe(404)
  })

  test('unassign_issuables ends the assignments of the user, and no others', async () => {
    await prepare()
    const assignees = async () => {
      const { body } = await send('GET /projects/acme%2Fweb/issues?assignee_username[]=bob', { as: 'alice' })
      return body.map((issue: { assignees: { username: string }[] }) => usernames(issue.assignees).toSorted())
    }
    const before = await assignees()
    expect(before).toContainEqual(['bob', 'dave'])
    expect((await remove('unassign_issuables=true')).status).toBe(204)
    expect((await assignees()).flat()).not.toContain('dave')
    expect((await send(`GET /groups/acme%2Ftools/members/${ids.dave}`, { as: 'alice' })).status).toBe(404)
    const { items } = await forge.host.issues.list({ project: 'acme/web', assigneeUsername: ['dave'] })
    expect(items).toEqual([])
  })
})

const newProject = async (name: string) => {
  const { id: namespace } = await forge.host.groups.get({ group: 'acme' })
  const { id } = await forge.host.projects.create({
    namespace: name.includes('/') ? namespace : 'root',
    name: name.split('/').at(-1),
  })
  return id
}

interface MemberRow {
  readonly username: string
  readonly access_level: number
  readonly expires_at: string | null
}

test('the members of another project are added with their levels and expiry dates', async () => {
  const [source, target] = [await newProject('source'), await newProject('target')]
  const { host } = forge
  await host.members.add({ project: source, users: ['bob'], accessLevel: 30, expiresAt: '2999-01-01' })
  await host.members.add({ project: source, users: ['carol'], accessLevel: 40 })
  await host.members.add({ project: target, users: ['carol'], accessLevel: 20 })
  const line = `POST /projects/${target}/import_project_members/${source}`
  expect((await send(line, { as: 'carol' })).status).toBe(403)
  expect(await send(line, { as: 'root' })).toMatchObject({ status: 200, body: { status: 'success' } })
  const { body } = await send(`GET /projects/${target}/members`, { as: 'root' })
  const rows = body.map((row: MemberRow) => [row.username, row.access_level, row.expires_at])
  expect(rows.toSorted()).toEqual([
    ['bob', 30, '2999-01-01'],
    ['carol', 20, null],
    ['root', 40, null],
  ])
  expect((await send(`POST /projects/${target}/import_project_members/99999`, { as: 'root' })).status).toBe(404)
})

test('members who cannot be added are reported by username', async () => {
  const [source, target] = [await newProject('source'), await newProject('acme/target')]
  await forge.host.members.add({ project: source, users: ['alice'], accessLevel: 10 })
  await forge.host.members.add({ project: source, users: ['dave'], accessLevel: 10 })
  const { status, body } = await send(`POST /projects/${target}/import_project_members/${source}`, { as: 'root' })
  expect(status).toBe(200)
  expect(body).toEqual({
    status: 'error',
    message: { alice: expect.stringContaining('should be greater than or equal to') },
    total_members_count: 3,
  })
})

test('a directory sets the role of a member, unless it is overridden', async () => {
  const bob = ids.bob
  const sync = (access_level: number, as = 'root') =>
    send('POST /groups/acme/members/sync', { as, json: { user_id: bob, access_level } })
  expect(await sync(40, 'alice')).toMatchObject({ status: 403 })
  expect(await sync(20)).toMatchObject({ status: 200, body: { id: bob, access_level: 20 } })
  await send(`POST /groups/acme/members/${bob}/override`, { as: 'alice' })
  await send(`PUT /groups/acme/members/${bob}`, { as: 'alice', json: { access_level: 30 } })
  expect((await sync(10)).body.access_level).toBe(30)
  await send(`DELETE /groups/acme/members/${bob}/override`, { as: 'alice' })
  expect((await sync(10)).body.access_level).toBe(10)
})

everyRouteCalled('members')
