import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { type Ask, client } from './client.ts'

let forge: FakeForge
let ask: Ask
let head: string
const base = '/projects/acme%2Fweb'

beforeEach(async () => {
  forge = await world()
  ask = client(forge)
  const author = { name: 'Bob Builder', email: 'bob@example.com' }
  const commits = [
    { branch: 'main', message: 'Begin', author, files: [{ path: 'docs/read me.md', content: 'slow\n' }] },
    {
      branch: 'cache-home',
      message: 'Make it fast',
      author,
      parents: [0],
      files: [{ path: 'docs/read me.md', content: 'fast\n' }],
    },
  ]
  const { ids } = await forge.host.repository.commit({ project: 'acme/web', commits })
  head = ids[1] as string
})
afterEach(() => forge.close())

/** A multipart body with one file, as programs send it. */
const withFile = async (name: string, content: Uint8Array, field = 'file') => {
  const form = new FormData()
  form.set(field, new Blob([content as Uint8Array<ArrayBuffer>]), name)
  const sent = new Response(form)
  const type = sent.headers.get('content-type') as string
  return { raw: new Uint8Array(await sent.arrayBuffer()), headers: { 'content-type': type } }
}

describe('uploads', () => {
  test('a file comes back byte by byte, to be saved and never shown', async () => {
    const bytes = new Uint8Array(Array.from({ length: 256 }, (_, at) => at))
    const given = await withFile('a page.html', bytes)
    const { status, body } = await ask(`POST ${base}/uploads`, { as: 'dave', ...given })
    expect(status).toBe(200)
    const { id: project } = await forge.host.projects.get({ project: 'acme/web' })
    expect(body).toEqual({
      id: expect.any(Number),
      alt: 'a_page',
      url: expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\/a_page\.html$/),
      full_path: `/-/project/${project}${body.url}`,
      markdown: `[a_page](${body.url})`,
    })
    for (const path of [`${forge.url}${body.full_path}`, `${forge.url}/api/v4${base}${body.url}`]) {
      const response = await forge.fetch(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/octet-stream')
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="a_page.html"')
      expect(response.headers.get('content-security-policy')).toContain('sandbox')
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
    }
    const list = await ask(`GET ${base}/uploads`, { as: 'alice' })
    expect(list.body).toMatchObject([{ size: 256, filename: 'a_page.html', uploaded_by: { username: 'dave' } }])
    expect((await ask(`DELETE ${base}${body.url}`, { as: 'alice' })).status).toBe(204)
    expect((await ask(`GET ${base}${body.url}`)).status).toBe(404)
  })

  test('a picture is shown by its Markdown', async () => {
    const given = await withFile('Über.PNG', new Uint8Array([1]))
    const { body } = await ask(`POST ${base}/uploads`, { as: 'dave', ...given })
    expect(body.markdown).toBe(`![Über](${body.url})`)
  })

  test('a file is there, and is a file', async () => {
    expect(await ask(`POST ${base}/uploads`, { as: 'dave', json: {} })).toMatchObject({
      status: 400,
      body: { error: 'file is missing' },
    })
    const text = await ask(`POST ${base}/uploads`, { as: 'dave', json: { file: { file_name: 'x', content: 'text' } } })
    expect(text.status).toBe(400)
    const other = await ask(`POST ${base}/uploads`, { as: 'dave', ...(await withFile('x', new Uint8Array(), 'other')) })
    expect(other.status).toBe(400)
    expect((await ask(`POST ${base}/uploads`, await withFile('x', new Uint8Array()))).status).toBe(401)
  })
})

describe('files', () => {
  const file = `${base}/repository/files/docs%2Fread%20me.md`

  test('by their path', async () => {
    const { status, body } = await ask(`GET ${file}?ref=cache-home`)
    expect(status).toBe(200)
    expect(body).toEqual({
      file_name: 'read me.md',
      file_path: 'docs/read me.md',
      size: 5,
      encoding: 'base64',
      content: Buffer.from('fast\n').toString('base64'),
      content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      ref: 'cache-home',
      blob_id: expect.stringMatching(/^[0-9a-f]{40}$/),
      commit_id: head,
      execute_filemode: false,
    })
    const raw = await ask(`GET ${file}/raw`)
    expect([raw.text, raw.headers.get('content-security-policy')]).toEqual([
      'slow\n',
      expect.stringContaining('sandbox'),
    ])
    expect((await ask(`GET ${base}/repository/files/nope/raw`)).body).toEqual({ message: '404 File Not Found' })
    expect((await ask(`GET ${file}?ref=nope`)).body).toEqual({ message: '404 Commit Not Found' })
  })
})

describe('merge requests', () => {
  const mergeRequest = `${base}/merge_requests/1`

  test('say between which commits their changes lie', async () => {
    const { body } = await ask(`GET ${mergeRequest}`)
    expect(body).toMatchObject({ sha: head, diff_refs: { head_sha: head, base_sha: body.diff_refs.start_sha } })
    const changes = await ask(`GET ${mergeRequest}/changes`)
    expect(changes.body).toMatchObject({
      iid: 1,
      changes_count: '1',
      overflow: false,
      changes: [{ old_path: 'docs/read me.md', new_path: 'docs/read me.md', a_mode: '100644', new_file: false }],
    })
    const commits = await ask(`GET ${mergeRequest}/commits?per_page=1`)
    expect(commits.headers.get('x-total')).toBe('1')
    expect(commits.body).toMatchObject([{ id: head, title: 'Make it fast' }])
    const versions = await ask(`GET ${mergeRequest}/versions`)
    expect(versions.body).toEqual([
      {
        id: expect.any(Number),
        head_commit_sha: head,
        base_commit_sha: body.diff_refs.base_sha,
        start_commit_sha: body.diff_refs.start_sha,
        created_at: expect.any(String),
        merge_request_id: body.id,
      },
    ])
    expect((await ask(`GET ${base}/repository/commits/${head}/merge_requests`)).body).toMatchObject([{ iid: 1 }])
  })

  test('are approved', async () => {
    expect((await ask(`POST ${mergeRequest}/approve`)).status).toBe(401)
    expect((await ask(`POST ${mergeRequest}/approve`, { as: 'dave' })).status).toBe(403)
    const { body } = await ask(`POST ${mergeRequest}/approve`, { as: 'alice' })
    expect(body).toMatchObject({ approved: true, approved_by: [{ user: { username: 'alice' } }], approvals_left: 0 })
    expect((await ask(`POST ${mergeRequest}/approve`, { as: 'alice' })).status).toBe(409)
  })

  test('are discussed', async () => {
    const position = { base_sha: head, start_sha: head, head_sha: head, new_path: 'a', new_line: '2' }
    const json = { body: 'Here', position }
    const { status, body } = await ask(`POST ${mergeRequest}/discussions`, { as: 'bob', json })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      individual_note: false,
      notes: [
        { type: 'DiffNote', resolvable: true, resolved: false, position: { new_line: 2, position_type: 'text' } },
      ],
    })
    const one = `${mergeRequest}/discussions/${body.id}`
    const answer = await ask(`POST ${one}/notes`, { as: 'alice', json: { body: 'There' } })
    expect(answer.body).toMatchObject({ body: 'There', type: 'DiffNote' })
    const settled = await ask(`PUT ${one}?resolved=true`, { as: 'alice' })
    expect(settled.body.notes).toMatchObject([{ resolved: true, resolved_by: { username: 'alice' } }, {}])
    const missing = await ask(`GET ${mergeRequest}/discussions/nope`)
    expect(missing).toMatchObject({ status: 404, body: { message: '404 Discussion Not Found' } })
    expect((await ask(`DELETE ${one}/notes/${answer.body.id}`, { as: 'alice' })).status).toBe(204)
  })
})

describe('releases', () => {
  test('live from their creation to their removal', async () => {
    const links = [{ name: 'Tool', url: 'https://example.com/tool', link_type: 'package', filepath: '/bin/tool' }]
    const json = { tag_name: 'v1/a', ref: 'main', description: '**x**', milestones: ['1.0'], assets: { links } }
    const { status, body } = await ask(`POST ${base}/releases`, { as: 'bob', json })
    expect(status).toBe(200)
    const { id: project } = await forge.host.projects.get({ project: 'acme/web' })
    expect(body).toMatchObject({
      tag_name: 'v1/a',
      name: 'v1/a',
      description: '**x**',
      upcoming_release: false,
      author: { username: 'bob' },
      commit: { title: 'Begin' },
      milestones: [{ title: '1.0' }],
      tag_path: '/acme/web/-/tags/v1/a',
      assets: { count: 5, links: [{ name: 'Tool', link_type: 'package' }] },
      _links: { self: `${forge.url}/acme/web/-/releases/v1%2Fa` },
    })
    const source = body.assets.sources[0]
    expect(source).toEqual({
      format: 'zip',
      url: `${forge.url}/api/v4/projects/${project}/repository/archive.zip?sha=v1%2Fa`,
    })
    expect((await forge.fetch(source.url)).status).toBe(200)
    const one = `${base}/releases/v1%2Fa`
    expect((await ask(`GET ${one}`)).body).toEqual(body)
    expect((await ask(`PUT ${one}`, { as: 'bob', form: { name: 'One' } })).body).toMatchObject({ name: 'One' })
    expect((await ask(`GET ${base}/releases`)).headers.get('x-total')).toBe('1')
    expect((await ask(`DELETE ${one}`, { as: 'bob' })).body).toMatchObject({ tag_name: 'v1/a' })
    expect((await ask(`GET ${one}`)).body).toEqual({ message: '404 Not Found' })
  })

  test('refusals', async () => {
    const make = (json: object, as = 'bob') => ask(`POST ${base}/releases`, { as, json })
    expect(await make({})).toMatchObject({ status: 400, body: { error: 'tag_name is missing' } })
    expect(await make({ tag_name: 'v1' })).toMatchObject({ status: 422, body: { message: ['Ref is not specified'] } })
    expect((await make({ tag_name: 'v1', ref: 'main' }, 'carol')).status).toBe(403)
    await make({ tag_name: 'v1', ref: 'main' })
    expect(await make({ tag_name: 'v1' })).toMatchObject({ status: 409, body: { message: 'Release already exists' } })
    const wrong = { tag_name: 'v2', ref: 'main', assets: { links: [{ name: '', url: 'x' }] } }
    expect((await make(wrong)).status).toBe(400)
    expect((await ask(`GET ${base}/repository/tags`)).body).toHaveLength(1)
  })
})
