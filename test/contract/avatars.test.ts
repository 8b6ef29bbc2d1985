import { hash } from 'node:crypto'
import { requireDetails } from '@forgelet/core/operations'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send, type SendOptions } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')

/** A multipart body with a picture and other fields. */
const withAvatar = async (as: string, bytes: Uint8Array | string = gif, fields = {}): Promise<SendOptions> => {
  const form = new FormData()
  form.set('avatar', typeof bytes === 'string' ? bytes : new File([bytes as BlobPart], 'my face.gif'))
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  const request = new Request('http://forge.test', { method: 'POST', body: form })
  return {
    as,
    raw: new Uint8Array(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') as string },
  }
}

const fetchPicture = async (url: string, as?: string) => {
  const response = await forge.fetch(url, as === undefined ? {} : { headers: { 'private-token': forge.token(as) } })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('a user uploads, replaces and removes a picture', async () => {
  const { status, body } = await send('PUT /user/avatar', await withAvatar('bob'))
  const { id } = await forge.host.users.get({ user: 'bob' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ avatar_url: `${forge.url}/uploads/-/system/user/avatar/${id}/my_face.gif` })
  expect((await send('GET /user', { as: 'bob' })).body.avatar_url).toBe(body.avatar_url)
  const { response, bytes } = await fetchPicture(body.avatar_url)
  expect(bytes.toString('hex')).toBe(gif.toString('hex'))
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/gif',
    'content-disposition': 'inline',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  })
  expect((await fetchPicture(body.avatar_url.replace('my_face', 'other'))).response.status).toBe(404)
  const removed = await send('PUT /user/avatar', await withAvatar('bob', ''))
  expect(removed.body.avatar_url).toMatch(/^https:\/\/www\.gravatar\.com\//)
  expect((await fetchPicture(body.avatar_url)).response.status).toBe(404)
})

test('administrators set pictures of users', async () => {
  const user = await send(
    'POST /users',
    await withAvatar('root', gif, { username: 'new', name: 'New', email: 'n@e.org' }),
  )
  expect(user.body.avatar_url).toMatch(/\/uploads\/-\/system\/user\/avatar\/\d+\/my_face\.gif$/)
  const changed = await send(`PUT /users/${user.body.id}`, await withAvatar('root', ''))
  expect(changed.body.avatar_url).toMatch(/gravatar/)
})

describe.each([
  ['a project', 'acme%2Fweb', 'projects', 'project', { name: 'Pictured', path: 'pictured', namespace_id: 'acme' }],
  ['a group', 'acme', 'groups', 'group', { name: 'Pictured', path: 'pictured' }],
])('%s', (_, id, family, kind, fields) => {
  const path = `/${family}/${id}`

  test('gets a picture when it is created and changed', async () => {
    const created = await send(`POST /${family}`, await withAvatar('alice', gif, fields))
    const url = `${forge.url}/uploads/-/system/${kind}/avatar/${created.body.id}/my_face.gif`
    expect(created.body.avatar_url).toBe(url)
    expect((await fetchPicture(url, 'alice')).bytes.equals(gif)).toBe(true)
    const { body } = await send(`PUT ${path}`, await withAvatar('alice'))
    expect(body.avatar_url).toBe(`${forge.url}/uploads/-/system/${kind}/avatar/${body.id}/my_face.gif`)
    expect((await send(`GET ${path}`, { as: 'alice' })).body.avatar_url).toBe(body.avatar_url)
    expect((await send(`GET ${path}/avatar`, { as: 'alice' })).status).toBe(200)
    expect((await send(`PUT ${path}`, { as: 'alice', json: { avatar: '' } })).body.avatar_url).toBeNull()
    expect(await send(`GET ${path}/avatar`, { as: 'alice' })).toMatchObject({ status: 404 })
  })

  test('hides its picture from users who cannot see it', async () => {
    const { body } = await send(`PUT ${path}`, await withAvatar('alice', gif, { visibility: 'private' }))
    if (body.visibility !== 'private') return
    expect((await fetchPicture(body.avatar_url)).response.status).toBe(404)
    expect((await send(`GET ${path}/avatar`)).status).toBe(404)
    expect((await fetchPicture(body.avatar_url, 'bob')).response.status).toBe(200)
  })
})

test('a topic gets a picture when it is created and changed', async () => {
  const { body } = await send('POST /topics', await withAvatar('root', gif, { name: 'pictured', title: 'Pictured' }))
  expect(body.avatar_url).toBe(`${forge.url}/uploads/-/system/projects/topic/avatar/${body.id}/my_face.gif`)
  expect((await fetchPicture(body.avatar_url)).bytes.equals(gif)).toBe(true)
  const removed = await send(`PUT /topics/${body.id}`, { as: 'root', json: { avatar: '' } })
  expect(removed.body).toEqual({ ...body, avatar_url: null })
  expect((await fetchPicture(body.avatar_url)).response.status).toBe(404)
  const changed = await send(`PUT /topics/${body.id}`, await withAvatar('root'))
  expect(changed.body.avatar_url).toBe(body.avatar_url)
})

test.each([
  ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'file format is not supported'],
  ['a large file', Buffer.concat([gif, Buffer.alloc(200 * 1_024)]), 'is too big (should be at most 200 KiB)'],
])('%s is no picture', async (_, bytes, problem) => {
  const { status, body } = await send('PUT /projects/acme%2Fweb', await withAvatar('alice', bytes))
  expect(status).toBe(400)
  expect(body.message.avatar[0]).toContain(problem)
  expect((await send('GET /projects/acme%2Fweb', { as: 'alice' })).body.avatar_url).toBeNull()
})

test('webhooks have the complete URL of a picture', async () => {
  const json = { url: 'https://bot.example.com/events', issues_events: true }
  await send('POST /projects/acme%2Fweb/hooks', { as: 'alice', json })
  const { body } = await send('PUT /user/avatar', await withAvatar('bob'))
  await send('POST /projects/acme%2Fweb/issues', { as: 'bob', json: { title: 'Broken' } })
  await forge.hooks.drain()
  expect(forge.hooks.deliveries.at(-1)?.body).toMatchObject({ user: { avatar_url: body.avatar_url } })
})

describe('a user without a picture', () => {
  const hashes = (text: string) => ['md5', 'sha1', 'sha256'].map((algorithm) => hash(algorithm, text))

  test('has a URL that does not depend on the private e-mail address', async () => {
    const { email, id } = requireDetails(await forge.host.users.get({ user: 'bob' }))
    const before = (await send('GET /users?username=bob', { as: 'alice' })).body[0].avatar_url
    for (const digest of hashes(email)) expect(before).not.toContain(digest)
    await forge.host.users.update({ user: 'bob', email: 'other@example.org' })
    const urls = await Promise.all(
      ['/users?username=bob', '/projects/acme%2Fweb/members/all?query=bob', '/search?scope=users&search=bob'].map(
        async (path) => (await send(`GET ${path}`, { as: 'alice' })).body[0].avatar_url,
      ),
    )
    const own = (await send('GET /user', { as: 'bob' })).body.avatar_url
    const detail = (await send(`GET /users/${id}`, { as: 'root' })).body.avatar_url
    expect([...urls, own, detail]).toEqual([before, before, before, before, before])
    expect((await send('GET /users?username=carol', { as: 'alice' })).body[0].avatar_url).not.toBe(before)
  })

  test('has the Gravatar of the public e-mail address', async () => {
    const { email, id } = requireDetails(await forge.host.users.get({ user: 'bob' }))
    await send(`PUT /users/${id}`, { as: 'root', json: { public_email: email } })
    const { body } = await send('GET /users?username=bob', { as: 'alice' })
    expect(body[0].avatar_url).toContain(`https://www.gravatar.com/avatar/${hash('sha256', email)}?`)
  })

  test('is found by the public e-mail address', async () => {
    const find = async (query: string) => (await send(`GET /avatar?${query}`)).body
    const { email, id } = requireDetails(await forge.host.users.get({ user: 'bob' }))
    await send('PUT /user/avatar', await withAvatar('bob'))
    const gravatar = `https://www.gravatar.com/avatar/${hash('sha256', email)}`
    expect(await find(`email=${email}`)).toEqual({ avatar_url: `${gravatar}?s=80&d=identicon` })
    expect(await find(`email=${email.toUpperCase()}&size=32`)).toEqual({ avatar_url: `${gravatar}?s=64&d=identicon` })
    await send(`PUT /users/${id}`, { as: 'root', json: { public_email: email } })
    expect(await find(`email=${email}`)).toEqual({
      avatar_url: expect.stringMatching(/\/user\/avatar\/\d+\/my_face\.gif$/),
    })
    expect((await send('GET /avatar')).status).toBe(400)
    await forge.host.settings.update({ avatarserviceEnabled: false })
    expect(await find('email=none@example.com')).toEqual({ avatar_url: null })
  })
})

everyRouteCalled('avatars')
