import { createHash } from 'node:crypto'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let head: string
const base = '/projects/acme%2Fweb'

beforeEach(async () => {
  forge = await world()
  send = client(forge)
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
  const { ids } = await forge.host.commits.import({ project: 'acme/web', commits })
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
    const { status, body } = await send(`POST ${base}/uploads`, { as: 'dave', ...given })
    expect(status).toBe(201)
    const { id: project } = await forge.host.projects.get({ project: 'acme/web' })
    expect(body).toEqual({
      id: expect.any(Number),
      alt: 'a_page.html',
      url: expect.stringMatching(/^\/uploads\/[0-9a-f]{32}\/a_page\.html$/),
      full_path: `/-/project/${project}${body.url}`,
      markdown: `[a_page.html](${body.url})`,
    })
    for (const path of [`${forge.url}${body.full_path}`, `${forge.url}/api/v4${base}${body.url}`]) {
      const response = await forge.fetch(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/octet-stream')
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="a_page.html"')
      expect(response.headers.get('content-security-policy')).toContain('sandbox')
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
    }
    const list = await send(`GET ${base}/uploads`, { as: 'alice' })
    expect(list.body).toMatchObject([{ size: 256, filename: 'a_page.html', uploaded_by: { username: 'dave' } }])
    expect((await send(`DELETE ${base}${body.url}`, { as: 'alice' })).status).toBe(204)
    expect((await send(`GET ${base}${body.url}`)).status).toBe(404)
  })

  test('maintainers read and remove a file by its id', async () => {
    const { body } = await send(`POST ${base}/uploads`, {
      as: 'dave',
      ...(await withFile('a.txt', new Uint8Array([65]))),
    })
    const byId = `${base}/uploads/${body.id}`
    expect(await send(`GET ${byId}`, { as: 'alice' })).toMatchObject({ status: 200, text: 'A' })
    expect((await send(`GET ${byId}`, { as: 'dave' })).status).toBe(403)
    expect((await send(`DELETE ${byId}`, { as: 'alice' })).status).toBe(204)
    expect((await send(`GET ${byId}`, { as: 'alice' })).status).toBe(404)
  })

  test('files of a group are listed, read and removed', async () => {
    const file = { fileName: 'a.txt', content: new Uint8Array([65]) }
    const { id, secret } = await forge.as('alice').uploads.create({ group: 'acme', file })
    const other = await forge.as('alice').uploads.create({ group: 'acme', file })
    const path = '/groups/acme/uploads'
    expect((await send(`GET ${path}`, { as: 'alice' })).body).toMatchObject([{ id: other.id }, { id, size: 1 }])
    expect((await send(`GET ${base}/uploads`, { as: 'alice' })).body).toEqual([])
    const groups = (await send('GET /groups?statistics=true&search=acme', { as: 'root' })).body
    expect(groups[0]).toMatchObject({ full_path: 'acme', statistics: { uploads_size: 2 } })
    expect(await send(`GET ${path}/${id}`, { as: 'alice' })).toMatchObject({ status: 200, text: 'A' })
    expect((await send(`GET ${path}/${secret}/a.txt`)).status).toBe(200)
    expect((await forge.fetch(`${forge.url}/-/group/acme/uploads/${secret}/a.txt`)).status).toBe(200)
    expect((await send(`GET ${base}/uploads/${secret}/a.txt`)).status).toBe(404)
    expect((await send(`DELETE ${path}/${secret}/a.txt`, { as: 'alice' })).status).toBe(204)
    expect((await send(`DELETE ${path}/${other.id}`, { as: 'alice' })).status).toBe(204)
    expect((await send(`GET ${path}/${id}`, { as: 'alice' })).status).toBe(404)
  })

  test('a picture is shown by its Markdown', async () => {
    const given = await withFile('Über.PNG', new Uint8Array([1]))
    const { body } = await send(`POST ${base}/uploads`, { as: 'dave', ...given })
    expect(body.markdown).toBe(`![Über](${body.url})`)
  })

  test('a file is there, and is a file', async () => {
    expect(await send(`POST ${base}/uploads`, { as: 'dave', json: {} })).toMatchObject({
      status: 400,
      body: { error: 'file is missing' },
    })
    const text = await send(`POST ${base}/uploads`, { as: 'dave', json: { file: { file_name: 'x', content: 'text' } } })
    expect(text.status).toBe(400)
    const other = await send(`POST ${base}/uploads`, {
      as: 'dave',
      ...(await withFile('x', new Uint8Array(), 'other')),
    })
    expect(other.status).toBe(400)
    expect((await send(`POST ${base}/uploads`, await withFile('x', new Uint8Array()))).status).toBe(401)
  })
})

describe('files', () => {
  const file = `${base}/repository/files/docs%2Fread%20me.md`

  test('by their path', async () => {
    const { status, body } = await send(`GET ${file}?ref=cache-home`)
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
      last_commit_id: head,
      execute_filemode: false,
    })
    const raw = await send(`GET ${file}/raw`)
    expect([raw.text, raw.headers.get('content-security-policy')]).toEqual([
      'slow\n',
      expect.stringContaining('sandbox'),
    ])
    expect((await send(`GET ${base}/repository/files/nope/raw`)).body).toEqual({ message: '404 File Not Found' })
    expect((await send(`GET ${file}?ref=nope`)).body).toEqual({ message: '404 Commit Not Found' })
  })
})

describe('merge requests', () => {
  const mergeRequest = `${base}/merge_requests/1`

  test('say between which commits their changes lie', async () => {
    const { body } = await send(`GET ${mergeRequest}`)
    expect(body).toMatchObject({ sha: head, diff_refs: { head_sha: head, base_sha: body.diff_refs.start_sha } })
    const changes = await send(`GET ${mergeRequest}/changes`)
    expect(changes.body).toMatchObject({
      iid: 1,
      changes_count: '1',
      overflow: false,
      changes: [{ old_path: 'docs/read me.md', new_path: 'docs/read me.md', a_mode: '100644', new_file: false }],
    })
    const commits = await send(`GET ${mergeRequest}/commits?per_page=1`)
    expect(commits.headers.get('x-total')).toBe('1')
    expect(commits.body).toMatchObject([{ id: head, title: 'Make it fast' }])
    const versions = await send(`GET ${mergeRequest}/versions`)
    expect(versions.body).toEqual([
      {
        id: expect.any(Number),
        head_commit_sha: head,
        base_commit_sha: body.diff_refs.base_sha,
        start_commit_sha: body.diff_refs.start_sha,
        created_at: expect.any(String),
        merge_request_id: body.id,
        real_size: '1',
        state: 'collected',
      },
    ])
    expect((await send(`GET ${base}/repository/commits/${head}/merge_requests`)).body).toMatchObject([{ iid: 1 }])
  })

  test('are approved', async () => {
    expect((await send(`POST ${mergeRequest}/approve`)).status).toBe(401)
    expect((await send(`POST ${mergeRequest}/approve`, { as: 'dave' })).status).toBe(403)
    const { body } = await send(`POST ${mergeRequest}/approve`, { as: 'alice' })
    expect(body).toMatchObject({ approved: true, approved_by: [{ user: { username: 'alice' } }], approvals_left: 0 })
    expect((await send(`POST ${mergeRequest}/approve`, { as: 'alice' })).status).toBe(409)
  })

  test('are discussed', async () => {
    const { diff_refs: refs } = (await send(`GET ${mergeRequest}`)).body
    const position = { ...refs, new_path: 'docs/read me.md', new_line: '1' }
    const json = { body: 'Here', position }
    const { status, body } = await send(`POST ${mergeRequest}/discussions`, { as: 'bob', json })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{40}$/),
      individual_note: false,
      notes: [
        { type: 'DiffNote', resolvable: true, resolved: false, position: { new_line: 1, position_type: 'text' } },
      ],
    })
    const one = `${mergeRequest}/discussions/${body.id}`
    const answer = await send(`POST ${one}/notes`, { as: 'alice', json: { body: 'There' } })
    expect(answer.body).toMatchObject({ body: 'There', type: 'DiffNote' })
    const settled = await send(`PUT ${one}?resolved=true`, { as: 'alice' })
    expect(settled.body.notes).toMatchObject([{ resolved: true, resolved_by: { username: 'alice' } }, {}])
    const missing = await send(`GET ${mergeRequest}/discussions/nope`)
    expect(missing).toMatchObject({ status: 404, body: { message: '404 Discussion Not Found' } })
    expect((await send(`DELETE ${one}/notes/${answer.body.id}`, { as: 'alice' })).status).toBe(204)
  })
})

describe('releases', () => {
  test('the newest release has a permanent URL', async () => {
    const path = `GET ${base}/releases/permalink/latest`
    expect((await send(path)).status).toBe(404)
    const make = (json: object) => send(`POST ${base}/releases`, { as: 'bob', json: { ref: 'main', ...json } })
    await make({ tag_name: 'v2' })
    await make({ tag_name: 'v1', released_at: '2020-01-01T00:00:00Z' })
    await make({ tag_name: 'v3', released_at: '2999-01-01T00:00:00Z' })
    expect(await send(path)).toMatchObject({ status: 200, body: { tag_name: 'v2' } })
  })

  test('addresses below the newest release redirect to it', async () => {
    const asset = { name: 'Tool', url: 'https://example.com/tool?a=1', direct_asset_path: '/bin/tool' }
    const json = { tag_name: 'v1/a', ref: 'main', assets: { links: [asset] } }
    await send(`POST ${base}/releases`, { as: 'bob', json })
    const follow = async (path: string) => {
      const response = await forge.fetch(`${forge.url}/api/v4${base}/releases/${path}`, { redirect: 'manual' })
      return [response.status, response.headers.get('location')]
    }
    const { id } = await forge.host.projects.get({ project: 'acme/web' })
    const release = `${forge.url}/api/v4/projects/${id}/releases/v1%2Fa`
    expect(await follow('permalink/latest/downloads/bin/tool')).toEqual([302, `${release}/downloads/bin/tool`])
    expect(await follow('permalink/latest/assets/links')).toEqual([302, `${release}/assets/links`])
    expect(await follow('permalink/latest/a%20b/%3Fc')).toEqual([302, `${release}/a%20b/%3Fc`])
    expect((await follow('permalink/latest/..%2F..%2Fissues'))[0]).toBe(400)
    expect(await follow('v1%2Fa/downloads/bin/tool')).toEqual([302, asset.url])
    expect(await follow('v1%2Fa/downloads/bin%2Ftool')).toEqual([302, asset.url])
    expect((await follow('v1%2Fa/downloads/bin/other'))[0]).toBe(404)
    expect((await follow('v2/downloads/bin/tool'))[0]).toBe(404)
  })

  test('evidence keeps the contents of a release', async () => {
    const json = { tag_name: 'v1', ref: 'main', milestones: ['1.0'] }
    expect((await send(`POST ${base}/releases`, { as: 'bob', json })).body.evidences).toEqual([])
    const { status, body } = await send(`POST ${base}/releases/v1/evidence`, { as: 'bob' })
    expect([status, body]).toEqual([
      200,
      { id: expect.any(Number), sha: expect.stringMatching(/^[0-9a-f]{64}$/), collected_at: expect.any(String) },
    ])
    await send(`PUT ${base}/releases/v1`, { as: 'bob', json: { name: 'Changed' } })
    const { evidences } = (await send(`GET ${base}/releases/v1`)).body
    expect(evidences).toEqual([
      { sha: body.sha, collected_at: body.collected_at, filepath: expect.stringMatching(/\/evidences\/\d+$/) },
    ])
    const text = await (await forge.fetch(evidences[0].filepath)).text()
    expect(createHash('sha256').update(text).digest('hex')).toBe(body.sha)
    expect(JSON.parse(text)).toMatchObject({
      release: { tag_name: 'v1', name: 'v1', project: { name: 'Web' }, milestones: [{ title: '1.0' }] },
    })
    expect((await send(`POST ${base}/releases/v2/evidence`, { as: 'bob' })).status).toBe(404)
    expect((await send(`GET ${base}/releases/v1/evidences/999`)).status).toBe(404)
  })

  test('live from their creation to their removal', async () => {
    const links = [{ name: 'Tool', url: 'https://example.com/tool', link_type: 'package', filepath: '/bin/tool' }]
    const json = { tag_name: 'v1/a', ref: 'main', description: '**x**', milestones: ['1.0'], assets: { links } }
    const done = await forge.host.issues.create({ project: 'acme/web', title: 'Done', author: 'bob', milestone: '1.0' })
    await forge.host.issues.update({ project: 'acme/web', issue: done.iid, stateEvent: 'close' })
    const { status, body } = await send(`POST ${base}/releases`, { as: 'bob', json })
    expect(status).toBe(201)
    const { id: project } = await forge.host.projects.get({ project: 'acme/web' })
    expect(body).toMatchObject({
      tag_name: 'v1/a',
      name: 'v1/a',
      description: '**x**',
      upcoming_release: false,
      author: { username: 'bob' },
      commit: { title: 'Begin' },
      milestones: [{ title: '1.0', issue_stats: { total: 2, closed: 1, opened: 1 } }],
      tag_path: '/acme/web/-/tags/v1/a',
      assets: { count: 5, links: [{ name: 'Tool', link_type: 'package', external: true }] },
      _links: {
        self: `${forge.url}/acme/web/-/releases/v1%2Fa`,
        closed_issues_url: `${forge.url}/acme/web/-/issues?release_tag=v1%2Fa&scope=all&state=closed`,
      },
    })
    const source = body.assets.sources[0]
    expect(source).toEqual({
      format: 'zip',
      url: `${forge.url}/api/v4/projects/${project}/repository/archive.zip?sha=v1%2Fa`,
    })
    expect((await forge.fetch(source.url)).status).toBe(200)
    const one = `${base}/releases/v1%2Fa`
    expect((await send(`GET ${one}`)).body).toEqual(body)
    for (const url of [one, `${base}/releases`]) {
      const { body: found } = await send(`GET ${url}?include_html_description=true`)
      expect((Array.isArray(found) ? found[0] : found).description_html).toContain('<strong>x</strong>')
    }
    const ids = [body.milestones[0].id]
    const without = await send(`PUT ${one}`, { as: 'bob', json: { milestone_ids: [] } })
    expect(without.body.milestones).toEqual([])
    expect((await send(`PUT ${one}`, { as: 'bob', json: { milestone_ids: ids } })).body.milestones).toEqual(
      body.milestones,
    )
    expect((await send(`PUT ${one}`, { as: 'bob', form: { name: 'One' } })).body).toMatchObject({ name: 'One' })
    expect((await send(`GET ${base}/releases`)).headers.get('x-total')).toBe('1')
    expect((await send(`DELETE ${one}`, { as: 'bob' })).body).toMatchObject({ tag_name: 'v1/a' })
    expect((await send(`GET ${one}`)).body).toEqual({ message: '404 Not Found' })
  })

  test('are filtered by the time of the last change', async () => {
    for (const tag_name of ['v1', 'v2'])
      await send(`POST ${base}/releases`, { as: 'bob', json: { tag_name, ref: 'main' } })
    await send(`PUT ${base}/releases/v1`, { as: 'bob', json: { name: 'Changed' } })
    const list = async (query: string) =>
      (await send(`GET ${base}/releases?${query}`)).body.map(({ tag_name }: { tag_name: string }) => tag_name)
    expect(await list('updated_after=2020-01-01T00:00:00Z')).toHaveLength(2)
    expect(await list('updated_before=2020-01-01T00:00:00Z')).toEqual([])
    await forge.clock.advance({ days: 1 })
    const { created_at } = (await send(`GET ${base}/releases/v1`)).body
    await send(`PUT ${base}/releases/v2`, { as: 'bob', json: { name: 'Later' } })
    const noon = new Date(Date.parse(created_at) + 43_200_000).toISOString()
    expect([await list(`updated_after=${noon}`), await list(`updated_before=${noon}`)]).toEqual([['v2'], ['v1']])
  })

  test('refusals', async () => {
    const make = (json: object, as = 'bob') => send(`POST ${base}/releases`, { as, json })
    expect(await make({})).toMatchObject({ status: 400, body: { error: 'tag_name is missing' } })
    expect(await make({ tag_name: 'v1' })).toMatchObject({ status: 422, body: { message: ['Ref is not specified'] } })
    expect((await make({ tag_name: 'v1', ref: 'main' }, 'carol')).status).toBe(403)
    await make({ tag_name: 'v1', ref: 'main' })
    expect(await make({ tag_name: 'v1' })).toMatchObject({ status: 409, body: { message: 'Release already exists' } })
    const wrong = { tag_name: 'v2', ref: 'main', assets: { links: [{ name: '', url: 'x' }] } }
    expect((await make(wrong)).status).toBe(400)
    expect((await send(`GET ${base}/repository/tags`)).body).toHaveLength(1)
  })
})

describe('release links', () => {
  test('from their creation to their removal', async () => {
    await send(`POST ${base}/releases`, { as: 'bob', json: { tag_name: 'v1', ref: 'main' } })
    const links = `${base}/releases/v1/assets/links`
    const json = { name: 'Tool', url: 'https://example.com/tool' }
    expect(await send(`POST ${links}`, { json })).toMatchObject({ status: 401 })
    expect(await send(`POST ${links}`, { as: 'carol', json })).toMatchObject({ status: 403 })
    const { status, body } = await send(`POST ${links}`, { as: 'bob', json })
    expect(status).toBe(201)
    expect(body).toMatchObject({ id: expect.any(Number), ...json, link_type: 'other' })
    expect((await send(`GET ${links}`)).body).toEqual([body])
    expect((await send(`GET ${links}/${body.id}`)).body).toEqual(body)
    const changed = await send(`PUT ${links}/${body.id}`, { as: 'bob', json: { name: 'Better' } })
    expect(changed.body).toEqual({ ...body, name: 'Better' })
    expect(await send(`DELETE ${links}/${body.id}`, { as: 'bob' })).toMatchObject({ status: 200, body: changed.body })
    expect(await send(`GET ${links}/${body.id}`)).toMatchObject({ status: 404 })
  })
})

describe('merge requests and what belongs to them', () => {
  const mergeRequest = `${base}/merge_requests/1`

  test('differences, and each version by its id', async () => {
    const { body: diffs } = await send(`GET ${mergeRequest}/diffs`)
    expect(diffs).toMatchObject([{ new_path: 'docs/read me.md', new_file: false, deleted_file: false }])
    const raw = await send(`GET ${mergeRequest}/raw_diffs`)
    expect(raw.text).toBe(
      'diff --git a/docs/read me.md b/docs/read me.md\n--- a/docs/read me.md\n+++ b/docs/read me.md\n@@ -1 +1 @@\n-slow\n+fast\n',
    )
    await send(`GET ${mergeRequest}`)
    const { body: versions } = await send(`GET ${mergeRequest}/versions`)
    const { body } = await send(`GET ${mergeRequest}/versions/${versions[0].id}`)
    expect(body).toMatchObject({ ...versions[0], commits: [{ id: head }], diffs: [{ new_path: 'docs/read me.md' }] })
    expect(await send(`GET ${mergeRequest}/versions/99999`)).toMatchObject({ status: 404 })
  })

  test('the issues that a merge request closes, in both directions', async () => {
    const json = { description: 'Closes #1' }
    expect(await send(`PUT ${mergeRequest}`, { as: 'bob', json })).toMatchObject({ status: 200 })
    expect((await send(`GET ${mergeRequest}/closes_issues`)).body).toMatchObject([{ iid: 1 }])
    await send(`POST ${mergeRequest}/notes`, { as: 'bob', json: { body: 'See #2 and a#3' } })
    expect((await send(`GET ${mergeRequest}/related_issues`)).body).toMatchObject([{ iid: 1 }, { iid: 2 }])
    expect((await send(`GET ${base}/issues/1/closed_by`)).body).toMatchObject([{ iid: 1, state: 'opened' }])
    expect((await send(`GET ${base}/issues/1/related_merge_requests`)).body).toMatchObject([{ iid: 1 }])
  })

  test('an approval is withdrawn', async () => {
    await send(`POST ${mergeRequest}/approve`, { as: 'alice' })
    expect((await send(`GET ${mergeRequest}/approvals`)).body.approved_by).toMatchObject([
      { user: { username: 'alice' } },
    ])
    expect(await send(`POST ${mergeRequest}/unapprove`, { as: 'dave' })).toMatchObject({ status: 403 })
    const { body } = await send(`POST ${mergeRequest}/unapprove`, { as: 'alice' })
    expect(body).toMatchObject({ approved: false, approved_by: [] })
    expect(await send(`POST ${mergeRequest}/unapprove`, { as: 'alice' })).toMatchObject({ status: 409 })
  })
})

everyRouteCalled('uploads', 'merge request changes')
everyRouteCalled('releases', 'release links', 'release evidences')
