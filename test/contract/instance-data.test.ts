import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const set = async (form: Record<string, string>, name = 'new_pages') =>
  (await send(`POST /features/${name}`, { as: 'root', form })).body

test('a feature is on, off or conditional', async () => {
  expect(await set({ value: 'true' })).toEqual({
    name: 'new_pages',
    state: 'on',
    gates: [{ key: 'boolean', value: true }],
    definition: null,
  })
  expect(await set({ value: 'false' })).toMatchObject({ state: 'off', gates: [{ key: 'boolean', value: false }] })
  expect(await set({ value: '30' })).toMatchObject({
    state: 'conditional',
    gates: [
      { key: 'boolean', value: false },
      { key: 'percentage_of_time', value: 30 },
    ],
  })
  expect(await set({ value: '40', key: 'percentage_of_actors' })).toMatchObject({
    gates: [
      { key: 'boolean', value: false },
      { key: 'percentage_of_actors', value: 40 },
      { key: 'percentage_of_time', value: 30 },
    ],
  })
  expect(await set({ value: '100' })).toMatchObject({ state: 'on' })
  expect(await set({ value: 'true' })).toMatchObject({ gates: [{ key: 'boolean', value: true }] })
  await set({ value: 'false' }, 'a.first')
  const { body } = await send('GET /features', { as: 'root' })
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['a.first', 'new_pages'])
  expect((await send('DELETE /features/a.first', { as: 'root' })).status).toBe(204)
  expect((await send('DELETE /features/a.first', { as: 'root' })).status).toBe(204)
  expect((await send('GET /features/definitions', { as: 'root' })).body).toEqual([])
})

test('a feature is on for users, groups, projects and feature groups', async () => {
  const { id: bob } = await forge.host.users.get({ user: 'bob' })
  const { id: web } = await forge.host.projects.get({ project: 'acme/web' })
  const { id: acme } = await forge.host.groups.get({ group: 'acme' })
  const targets = { user: 'bob', project: 'acme/web', repository: 'acme/web.git', group: 'acme', namespace: 'acme' }
  expect(await set({ value: 'true', ...targets, feature_group: 'team' })).toMatchObject({
    state: 'conditional',
    gates: [
      { key: 'boolean', value: false },
      {
        key: 'actors',
        value: [`User:${bob}`, `Group:${acme}`, `Namespace:${acme}`, `Project:${web}`, `Repository:${web}`],
      },
      { key: 'groups', value: ['team'] },
    ],
  })
  const off = await set({ value: 'false', user: 'bob', feature_group: 'team' })
  expect(off.gates).toHaveLength(2)
  for (const form of [
    { value: 'true', user: 'nobody' },
    { value: '30', user: 'bob' },
    { value: '101' },
    { value: 'perhaps' },
  ])
    expect((await send('POST /features/x', { as: 'root', form })).status).toBe(400)
  expect((await send('POST /features/a%20b', { as: 'root', form: { value: 'true' } })).status).toBe(400)
})

test('the appearance has texts and colors', async () => {
  const { status, body } = await send('GET /application/appearance', { as: 'root' })
  expect(status).toBe(200)
  expect(body).toEqual({
    title: '',
    description: '',
    pwa_name: '',
    pwa_short_name: '',
    pwa_description: '',
    pwa_icon: null,
    logo: null,
    header_logo: null,
    favicon: null,
    new_project_guidelines: '',
    member_guidelines: '',
    profile_image_guidelines: '',
    header_message: '',
    footer_message: '',
    message_background_color: '#e75e40',
    message_font_color: '#ffffff',
    email_header_and_footer_enabled: false,
  })
  const json = { title: 'Forge of <Acme>', description: 'Ask the help desk.', message_font_color: '#000' }
  expect((await send('PUT /application/appearance', { as: 'root', json })).body).toEqual({ ...body, ...json })
  const change = { title: 'Forge', email_header_and_footer_enabled: true }
  const changed = await send('PUT /application/appearance', { as: 'root', json: change })
  expect(changed.body).toEqual({ ...body, ...json, ...change })
  expect((await send('PUT /application/appearance', { as: 'root', json: { message_font_color: 'x' } })).status).toBe(
    400,
  )
})

test('the appearance has pictures, which everyone can load', async () => {
  const content = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')
  const names = ['logo', 'header_logo', 'favicon', 'pwa_icon']
  const form = new FormData()
  for (const name of names) form.set(name, new File([content], 'acme 1.gif'))
  const put = async (body: FormData) => {
    const headers = { 'private-token': forge.token('root') }
    const response = await forge.fetch('/api/v4/application/appearance', { method: 'PUT', headers, body })
    return { status: response.status, body: await response.json() }
  }
  const { body } = await put(form)
  for (const name of names) {
    expect(body[name]).toBe(`/uploads/-/system/appearance/${name}/1/acme_1.gif`)
    const picture = await forge.fetch(body[name])
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/gif'])
    expect(Buffer.from(await picture.arrayBuffer()).equals(content)).toBe(true)
    expect((await forge.fetch(body[name].replace('acme', 'other'))).status).toBe(404)
  }
  const json = { title: 'Forge', favicon: '' }
  const changed = (await send('PUT /application/appearance', { as: 'root', json })).body
  expect(changed).toEqual({ ...body, title: 'Forge', favicon: null })
  expect((await forge.fetch(body.favicon)).status).toBe(404)
  const text = new FormData()
  text.set('header_logo', new File(['text'], 'a.gif'))
  expect(await put(text)).toMatchObject({ status: 400, body: { message: { header_logo: [expect.any(String)] } } })
})

test('secure files are added, downloaded and removed', async () => {
  const base = '/projects/acme%2Fweb/secure_files'
  const add = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.set('name', name)
    form.set('file', new File([content], 'on-disk.jks'))
    const response = await forge.fetch(`${forge.url}/api/v4${base}`, {
      method: 'POST',
      headers: { 'private-token': forge.token('alice') },
      body: form,
    })
    return { status: response.status, body: await response.json() }
  }
  const { status, body } = await add('release.jks', 'secret')
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(Number),
    name: 'release.jks',
    file_extension: 'jks',
    checksum: '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b',
    checksum_algorithm: 'sha256',
    created_at: expect.any(String),
    expires_at: null,
    metadata: null,
  })
  expect((await send(`GET ${base}`, { as: 'bob' })).body).toEqual([body])
  expect((await send(`GET ${base}/${body.id}`, { as: 'bob' })).body).toEqual(body)
  const download = await send(`GET ${base}/${body.id}/download`, { as: 'bob' })
  expect(download).toMatchObject({ status: 200, text: 'secret' })
  expect(download.headers.get('content-disposition')).toContain('release.jks')
  expect(await add('release.jks', 'x')).toMatchObject({
    status: 400,
    body: { message: { name: ['has already been taken'] } },
  })
  expect((await add('large', new Uint8Array(5 * 1024 ** 2 + 1))).status).toBe(400)
  expect((await add('empty', '')).status).toBe(400)
  expect((await add('a/b', 'x')).status).toBe(400)
  expect((await send(`DELETE ${base}/${body.id}`, { as: 'alice' })).status).toBe(204)
  expect((await send(`GET ${base}/${body.id}/download`, { as: 'alice' })).status).toBe(404)
  expect((await send(`DELETE ${base}/${body.id}`, { as: 'alice' })).status).toBe(404)
})

everyRouteCalled('instance features', 'appearances', 'secure files')
