import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'

/**
 * Requests in the format of clients in other languages: go-gitlab sends JSON, the Ruby gem sends forms with every request, and
 * the Perl client sends JSON, and GET parameters in the query.
 */

type Values = Readonly<Record<string, unknown>>
type Send = (method: string, path: string, values?: Values) => Promise<Response>
type Body = Readonly<Record<string, unknown>>

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: demoWithCode, port: 0 })
})
afterEach(() => forge.close())

const project = 'acme%2Fweb'
const user = (name: string) => forge.tokens[name] as string

const search = (values: Values) => {
  const query = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString()
  return query === '' ? '' : `?${query}`
}

const goGitLab =
  (token: string): Send =>
  (method, path, values = {}) => {
    const writes = method === 'POST' || method === 'PUT'
    const headers = { 'User-Agent': 'go-gitlab', Accept: 'application/json', 'PRIVATE-TOKEN': token }
    const url = `${forge.url}/api/v4/${path}${writes ? '' : search(values)}`
    if (!writes) return fetch(url, { method, headers })
    const json = { ...headers, 'Content-Type': 'application/json' }
    return fetch(url, { method, headers: json, body: JSON.stringify(values) })
  }

const rubyGitLab =
  (token: string): Send =>
  (method, path, values = {}) => {
    const headers = {
      'User-Agent': 'Gitlab Ruby Gem 4.17.0',
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Bearer ${token}`,
    }
    const url = `${forge.url}/api/v4/${path}`
    if (method === 'GET') return fetch(`${url}${search(values)}`, { headers })
    return fetch(url, { method, headers, body: search(values).slice(1) })
  }

const perl =
  (token: string): Send =>
  (method, path, values = {}) => {
    const headers = { 'User-Agent': 'HTTP-Tiny/0.076', 'private-token': token }
    const url = `${forge.url}/api/v4/${path}`
    if (method === 'GET' || method === 'DELETE') return fetch(`${url}${search(values)}`, { method, headers })
    const json = { ...headers, 'content-type': 'application/json' }
    return fetch(url, { method, headers: json, body: JSON.stringify(values) })
  }

const readBody = async (reply: Promise<Response>): Promise<Body> => {
  const response = await reply
  const text = await response.text()
  expect(response.ok, `${response.status} ${response.url} ${text.slice(0, 300)}`).toBe(true)
  return (text === '' ? {} : JSON.parse(text)) as Body
}

interface Client {
  readonly name: string
  readonly as: (token: string) => Send
  /** How the client renames a label: the newer route has its name in the path, the older one as a parameter. */
  readonly renamesLabel: 'in the path' | 'by parameter'
}

const clients: readonly Client[] = [
  { name: 'go-gitlab', as: goGitLab, renamesLabel: 'by parameter' },
  { name: 'ruby gitlab', as: rubyGitLab, renamesLabel: 'by parameter' },
  { name: 'GitLab::API::v4', as: perl, renamesLabel: 'in the path' },
]

describe.each(clients)('$name', ({ as, renamesLabel }) => {
  test('labels', async () => {
    const send = as(user('alice'))
    const labels = `projects/${project}/labels`
    await readBody(send('POST', labels, { name: 'needs care', color: '#FF0000', description: 'x', priority: 3 }))
    const renamed =
      renamesLabel === 'in the path'
        ? send('PUT', `${labels}/needs%20care`, { new_name: 'cared for' })
        : send('PUT', labels, { name: 'needs care', new_name: 'cared for' })
    expect(await readBody(renamed)).toMatchObject({ name: 'cared for', color: '#FF0000', priority: 3 })
    expect(await readBody(send('POST', `${labels}/cared%20for/subscribe`))).toMatchObject({ subscribed: true })
    expect((await send('POST', `${labels}/cared%20for/subscribe`)).status).toBe(304)
    await readBody(send('POST', `${labels}/cared%20for/unsubscribe`))
    expect(await readBody(send('GET', labels, { per_page: 100 }))).toHaveLength(4)
    const removed = await send('DELETE', `${labels}/cared%20for`)
    expect(removed.status).toBe(204)
  })

  test('notes on an issue', async () => {
    const send = as(user('bob'))
    const notes = `projects/${project}/issues/1/notes`
    const { id } = await readBody(send('POST', notes, { body: 'Größer & "besser"\n' }))
    expect(await readBody(send('PUT', `${notes}/${id}`, { body: 'Shorter' }))).toMatchObject({ body: 'Shorter' })
    expect(await readBody(send('GET', `${notes}/${id}`))).toMatchObject({ body: 'Shorter', system: false })
    expect(await readBody(send('GET', notes, { order_by: 'created_at', sort: 'asc' }))).toHaveLength(1)
    expect((await send('DELETE', `${notes}/${id}`)).status).toBe(204)
  })

  test('members', async () => {
    const send = as(user('alice'))
    const members = `projects/${project}/members`
    const { id } = await forge.host.users.get({ user: 'mallory' })
    await readBody(send('POST', members, { user_id: id, access_level: 30, expires_at: '2099-01-01' }))
    // go-gitlab clears the date with null, the others with an empty string.
    const change = { access_level: 20, expires_at: as === goGitLab ? null : '' }
    expect(await readBody(send('PUT', `${members}/${id}`, change))).toMatchObject({
      access_level: 20,
      expires_at: null,
    })
    expect(await readBody(send('GET', `${members}/all/${id}`))).toMatchObject({ username: 'mallory' })
    expect(await readBody(send('GET', `${members}/all`, { query: 'mal' }))).toHaveLength(1)
    expect((await send('DELETE', `${members}/${id}`)).status).toBe(204)
  })

  test('snippets', async () => {
    const send = as(user('bob'))
    const snippet = { title: 'Snippet', file_name: 'a.rb', content: 'puts 1\n', visibility: 'private' }
    const { id } = await readBody(send('POST', 'snippets', snippet))
    expect(await (await send('GET', `snippets/${id}/raw`)).text()).toBe('puts 1\n')
    expect(await readBody(send('PUT', `snippets/${id}`, { title: 'Other' }))).toMatchObject({ title: 'Other' })
    expect(await readBody(send('GET', 'snippets'))).toHaveLength(1)
    expect((await send('DELETE', `snippets/${id}`)).status).toBe(204)
  })

  test('environments', async () => {
    const send = as(user('bob'))
    const environments = `projects/${project}/environments`
    const { id } = await readBody(send('POST', environments, { name: 'review/1', external_url: 'https://example.com' }))
    expect(await readBody(send('PUT', `${environments}/${id}`, { external_url: 'https://example.org' }))).toMatchObject(
      {
        external_url: 'https://example.org',
      },
    )
    expect(await readBody(send('GET', environments))).toHaveLength(1)
    expect(await readBody(send('POST', `${environments}/${id}/stop`))).toMatchObject({ state: 'stopped' })
    expect((await send('DELETE', `${environments}/${id}`)).status).toBe(204)
  })

  test('repository', async () => {
    const send = as(user('dave'))
    const repository = `projects/${project}/repository`
    const tree = (await readBody(send('GET', `${repository}/tree`, { recursive: true, per_page: 100 }))) as unknown as {
      path: string
    }[]
    expect(tree.map(({ path }) => path)).toContain('styles/site.css')
    expect(await readBody(send('GET', `${repository}/compare`, { from: 'v0.1.0', to: 'main' }))).toMatchObject({
      compare_same_ref: false,
    })
    expect(await readBody(send('GET', `${repository}/contributors`))).toHaveLength(3)
    const archive = await send('GET', `${repository}/archive`)
    expect(archive.headers.get('content-disposition')).toContain('web-')
    expect((await archive.arrayBuffer()).byteLength).toBeGreaterThan(100)
  })

  test('todos, notification settings and events of the current user', async () => {
    const send = as(user('bob'))
    expect(await readBody(send('GET', 'notification_settings'))).toMatchObject({ level: 'participating' })
    expect(await readBody(send('PUT', 'notification_settings', { level: 'watch' }))).toMatchObject({ level: 'watch' })
    await forge.host.todos.create({ user: 'bob', action: 'mentioned', project: 'acme/web', issue: 1, author: 'alice' })
    const [todo] = (await readBody(send('GET', 'todos', { state: 'pending' }))) as unknown as { id: number }[]
    expect(await readBody(send('POST', `todos/${todo?.id}/mark_as_done`))).toMatchObject({ state: 'done' })
    await readBody(send('POST', 'todos/mark_as_done'))
    await readBody(send('GET', 'events', { per_page: 5 }))
  })

  test('groups, application settings and Markdown', async () => {
    const send = as(user('root'))
    expect(await readBody(send('GET', 'groups', { search: 'acme' }))).not.toHaveLength(0)
    expect(await readBody(send('GET', 'groups/acme'))).toMatchObject({ full_path: 'acme' })
    expect(await readBody(send('GET', 'groups/acme/projects'))).not.toHaveLength(0)
    expect(await readBody(send('PUT', 'application/settings', { max_attachment_size: 11 }))).toMatchObject({
      max_attachment_size: 11,
    })
    await readBody(send('GET', 'application/settings'))
    expect(await readBody(send('POST', 'markdown', { text: '**x**', gfm: true }))).toHaveProperty('html')
  })
})

test('go-gitlab requests the API root first, expects no rate limit header, and works without a token', async () => {
  const first = await goGitLab(user('bob'))('GET', '')
  expect(first.headers.get('ratelimit-limit')).toBeNull()
  const anonymous = await goGitLab('')('GET', `projects/${project}/labels`)
  expect(anonymous.status).toBe(200)
})
