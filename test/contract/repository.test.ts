import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createGitClient } from '../support/git-client.ts'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeAll(async () => {
  forge = await world({ seed: demoWithCode })
  send = client(forge)
})
afterAll(() => forge.close())

const base = '/projects/acme%2Fweb/repository'
const empty = '/projects/bob%2Fnotes/repository'
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000(Z|[+-]\d\d:\d\d)$/
const sha = /^[0-9a-f]{40}$/

const commit = {
  id: expect.stringMatching(sha),
  short_id: expect.stringMatching(/^[0-9a-f]{8}$/),
  created_at: expect.stringMatching(instant),
  parent_ids: expect.any(Array),
  title: expect.any(String),
  message: expect.any(String),
  author_name: expect.any(String),
  author_email: expect.any(String),
  authored_date: expect.stringMatching(instant),
  committer_name: expect.any(String),
  committer_email: expect.any(String),
  committed_date: expect.stringMatching(instant),
  trailers: {},
  extended_trailers: {},
  web_url: expect.stringMatching(/\/-\/commit\/[0-9a-f]{40}$/),
}

const idOf = async (ref: string) => (await send(`GET ${base}/commits/${ref}`)).body.id as string

describe('tree', () => {
  test('directories first, then files; modes have six digits; nobody has to sign in', async () => {
    const { status, body, headers } = await send(`GET ${base}/tree`)
    expect(status).toBe(200)
    expect(body.map(({ name, type, mode, path }: Record<string, string>) => [name, type, mode, path])).toEqual([
      ['docs', 'tree', '040000', 'docs'],
      ['styles', 'tree', '040000', 'styles'],
      ['README.md', 'blob', '100644', 'README.md'],
      ['index.html', 'blob', '100644', 'index.html'],
    ])
    expect(Object.keys(body[0])).toEqual(['id', 'name', 'type', 'path', 'mode'])
    expect(headers.get('x-total')).toBe('4')
  })

  test('with keyset pagination continues at the same commit when the branch moves', async () => {
    await using other = await world({ seed: demoWithCode })
    const get = client(other)
    const paths = (body: readonly { path: string }[]) => body.map(({ path }) => path)
    const expected = paths((await get(`GET ${base}/tree?recursive=true&per_page=100`)).body)
    const read: string[] = []
    let next: string | undefined = `/api/v4${base}/tree?recursive=true&pagination=keyset&per_page=2&ref=main`
    while (next !== undefined) {
      const { status, body, headers } = await get(`GET ${next}`)
      expect([status, headers.get('x-page'), headers.get('x-total')]).toEqual([200, null, null])
      read.push(...paths(body))
      if (read.length === 2) {
        const author = { name: 'Bob', email: 'bob@example.com', date: '2026-01-01T00:00:00Z' }
        const files = [{ path: 'a/first.txt', content: 'x' }]
        await other.host.commits.import({
          project: 'acme/web',
          commits: [{ message: 'Add a file', author, files }],
        })
      }
      const link = headers.get('link')?.match(/^<([^>]+page_token=[^>]+)>; rel="next"$/)?.[1]
      next = link?.slice(link.indexOf('/api/'))
    }
    expect(read).toEqual(expected)
    for (const query of ['pagination=keyset&page_token=x', 'page_token=x', 'pagination=keyset&page=2']) {
      expect((await get(`GET ${base}/tree?${query}`)).status).toBe(400)
    }
  })

  test('below a path, and of everything below it', async () => {
    const names = async (query: string) =>
      (await send(`GET ${base}/tree?${query}`)).body.map(({ path }: { path: string }) => path)
    expect(await names('path=docs')).toEqual(['docs/build.md'])
    expect(await names('path=docs/')).toEqual(['docs/build.md'])
    expect(await names('path=%2Fdocs')).toEqual(['docs/build.md'])
    expect(await names('recursive=true')).toEqual([
      'docs',
      'styles',
      'README.md',
      'docs/build.md',
      'index.html',
      'styles/site.css',
    ])
    expect(await names('ref=v0.1.0&recursive=1&path=styles')).toEqual(['styles/site.css'])
    expect(await names('ref=cache-home')).toContain('cache.json')
    expect(await names(`ref=${await idOf('v0.1.0')}`)).not.toContain('docs')
  })

  test('an unknown path is an empty list, also one that climbs; an unknown ref is 404', async () => {
    for (const path of ['nowhere', 'README.md', '..', 'docs/../..', '../../etc', '.git', ':(top)', '*', '-x']) {
      const { status, text, headers } = await send(`GET ${base}/tree?path=${encodeURIComponent(path)}`)
      expect([path, status, text, headers.get('x-total')]).toEqual([path, 200, '[]', '0'])
    }
    for (const ref of hostile) {
      const { status, body } = await send(`GET ${base}/tree?ref=${encodeURIComponent(ref)}`)
      expect([ref, status, body]).toEqual([ref, 404, { message: '404 Tree Not Found' }])
    }
    expect(await send(`GET ${empty}/tree`, { as: 'bob' })).toMatchObject({
      status: 404,
      body: { message: '404 Tree Not Found' },
    })
  })

  test('is paged, and the links repeat what was asked', async () => {
    const { body, headers } = await send(`GET ${base}/tree?recursive=true&per_page=4`)
    expect(body).toHaveLength(4)
    expect(headers.get('x-total')).toBe('6')
    expect(headers.get('x-next-page')).toBe('2')
    expect(headers.get('link')).toContain('recursive=true')
    const second = await send(`GET ${base}/tree?recursive=true&per_page=4&page=2`)
    expect(second.body.map(({ path }: { path: string }) => path)).toEqual(['index.html', 'styles/site.css'])
    expect((await send(`GET ${base}/tree?page=9`)).text).toBe('[]')
  })
})

/** Text that git would read as an option, an expression or a path, and text that is no name of anything. */
const hostile = [
  'nope',
  'main^',
  'main~1',
  'main^{tree}',
  'main:README.md',
  ':/Begin',
  '@',
  '@{-1}',
  'main@{0}',
  '--output=/tmp/x',
  '-',
  '..',
  'main..cache-home',
  '../HEAD',
  'refs/heads/main',
  'a b',
  'a\nb',
  'x'.repeat(500),
  '0'.repeat(40),
  'g'.repeat(40),
  'ffffff',
  '😀',
]

describe('blob', () => {
  const blobOf = async (path: string): Promise<string> =>
    (await send(`GET ${base}/tree?recursive=true`)).body.find((entry: { path: string }) => entry.path === path).id

  test('has its size and its content in Base64', async () => {
    const id = await blobOf('README.md')
    const { status, body } = await send(`GET ${base}/blobs/${id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      size: 35,
      encoding: 'base64',
      content: Buffer.from('# Web\n\nThe public website of Acme.\n').toString('base64'),
      sha: id,
    })
  })

  test('raw: plain text that no browser runs, and 304 for those who have it', async () => {
    const id = await blobOf('index.html')
    const { status, text, headers } = await send(`GET ${base}/blobs/${id}/raw`)
    expect(status).toBe(200)
    expect(text).toContain('<h1>Acme</h1>')
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'inline',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      etag: `"${id}"`,
    })
    const again = await send(`GET ${base}/blobs/${id}/raw`, { headers: { 'if-none-match': `"${id}"` } })
    expect([again.status, again.text]).toEqual([304, ''])
    const head = await send(`HEAD ${base}/blobs/${id}/raw`)
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'text/plain; charset=utf-8'])
  })

  test('anything that is no file is 404: commits, directories, other texts', async () => {
    const tree = (await send(`GET ${base}/tree`)).body[0].id
    for (const id of [tree, await idOf('main'), ...hostile.filter((text) => text !== '..')]) {
      for (const raw of ['', '/raw']) {
        const { status, body } = await send(`GET ${base}/blobs/${encodeURIComponent(id)}${raw}`)
        expect([id, status, body]).toEqual([id, 404, { message: '404 Blob Not Found' }])
      }
    }
  })

  test('of a private project is not found through a public one', async () => {
    await forge.host.commits.import({
      project: 'acme/tools/deploy',
      commits: [
        {
          message: 'Secret',
          author: { name: 'A', email: 'a@example.com', date: '2026-01-01T00:00:00Z' },
          files: [{ path: 'secret', content: 'the secret\n' }],
        },
      ],
    })
    const deploy = '/projects/acme%2Ftools%2Fdeploy/repository'
    const [{ id }] = (await send(`GET ${deploy}/tree`, { as: 'alice' })).body
    expect((await send(`GET ${deploy}/blobs/${id}/raw`, { as: 'alice' })).text).toBe('the secret\n')
    expect(await send(`GET ${base}/blobs/${id}`)).toMatchObject({ status: 404 })
    expect(await send(`GET ${deploy}/blobs/${id}`)).toMatchObject({ body: { message: '404 Project Not Found' } })
  })
})

describe('archive', () => {
  test('is named after project, revision and commit; every suffix is served', async () => {
    const id = await idOf('main')
    const types = { zip: 'application/zip' } as Record<string, string>
    const forms: Record<string, string> = {
      '': 'tar.gz',
      '.tar.gz': 'tar.gz',
      '.tgz': 'tar.gz',
      '.gz': 'tar.gz',
      '.tar.bz2': 'tar.bz2',
      '.tbz': 'tar.bz2',
      '.tbz2': 'tar.bz2',
      '.tb2': 'tar.bz2',
      '.bz2': 'tar.bz2',
      '.tar': 'tar',
      '.zip': 'zip',
    }
    for (const [suffix, form] of Object.entries(forms)) {
      const { status, headers } = await send(`GET ${base}/archive${suffix}`)
      expect([suffix, status]).toEqual([suffix, 200])
      expect(headers.get('content-disposition')).toBe(`attachment; filename="web-main-${id}.${form}"`)
      expect(headers.get('content-type')).toBe(types[form] ?? 'application/octet-stream')
      expect(headers.get('content-transfer-encoding')).toBe('binary')
      expect(headers.get('content-length')).toBeNull()
    }
    const tag = await send(`GET ${base}/archive.tar?sha=v0.1.0`)
    expect(tag.headers.get('content-disposition')).toContain(`"web-v0.1.0-${await idOf('v0.1.0')}.tar"`)
    const byId = await send(`GET ${base}/archive?sha=${id}`)
    expect(byId.headers.get('content-disposition')).toContain(`"web-${id}-${id}.tar.gz"`)
    const head = await send(`HEAD ${base}/archive.zip`)
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'application/zip'])
  })

  test('unknown revisions are 404, unknown suffixes no route', async () => {
    for (const ref of hostile) {
      const { status, body } = await send(`GET ${base}/archive?sha=${encodeURIComponent(ref)}`)
      expect([ref, status, body]).toEqual([ref, 404, { message: '404 File Not Found' }])
    }
    expect(await send(`GET ${empty}/archive`, { as: 'bob' })).toMatchObject({
      status: 404,
      body: { message: '404 File Not Found' },
    })
    expect(await send(`GET ${base}/archive.rar`)).toMatchObject({ status: 404, body: { error: '404 Not Found' } })
  })
})

describe('limits', () => {
  let limited: FakeForge
  beforeEach(async () => {
    limited = await world({ seed: demoWithCode, http: { rateLimits: true } })
  })
  afterEach(() => limited.close())

  test('the sixth archive in a minute is 429, for each person and project by itself, and also when the revision is unknown', async () => {
    const call = client(limited)
    for (let count = 0; count < 5; count++) {
      expect((await call(`GET ${base}/archive?sha=nope`, { as: 'bob' })).status).toBe(404)
    }
    const sixth = await call(`GET ${base}/archive`, { as: 'bob' })
    expect(sixth.status).toBe(429)
    expect(sixth.body).toEqual({
      message: { error: 'This archive has been requested too many times. Try again later.' },
    })
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call(`GET ${base}/archive`, { as: 'carol' })).status).toBe(200)
    expect((await call(`GET ${base}/archive`)).status).toBe(200)
    expect((await call(`GET ${empty}/archive`, { as: 'bob' })).status).toBe(404)
  })

  test('a raw file that is asked for too often is 429, for each file of a project by itself', async () => {
    await limited.host.settings.update({ rawBlobRequestLimit: 2 })
    const call = client(limited)
    const { body: files } = await call(`GET ${base}/tree`)
    const [one, other] = files.filter(({ type }: { type: string }) => type === 'blob') as { id: string }[]
    const raw = (id: string | undefined, as?: string) => call(`GET ${base}/blobs/${id}/raw`, as ? { as } : {})
    expect((await raw(one?.id)).status).toBe(200)
    expect((await raw(one?.id, 'bob')).status).toBe(200)
    const third = await raw(one?.id, 'carol')
    expect(third.status).toBe(429)
    expect(third.body).toEqual({
      message: { error: 'This endpoint has been requested too many times. Try again later.' },
    })
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await raw(other?.id)).status).toBe(200)
    // What cannot be seen is no secret that a limit tells, and a limit of 0 is none.
    await limited.host.settings.update({ rawBlobRequestLimit: 0 })
    expect((await raw(one?.id)).status).toBe(200)
  })
})

describe('compare', () => {
  test('what one branch has that another has not, oldest commit first', async () => {
    const { status, body } = await send(`GET ${base}/compare?from=v0.1.0&to=cache-home`)
    expect(status).toBe(200)
    const [from, to] = [await idOf('v0.1.0'), await idOf('cache-home')]
    expect(Object.keys(body)).toEqual(['commit', 'commits', 'diffs', 'compare_timeout', 'compare_same_ref', 'web_url'])
    expect(body.web_url).toBe(`${forge.url}/acme/web/-/compare/${from}...${to}`)
    expect(body.commits.map(({ title }: { title: string }) => title)).toEqual([
      'Say how to build',
      'Cache the home page',
    ])
    expect(body.commits).toEqual([commit, commit])
    expect(body.commit).toEqual(body.commits[1])
    expect(body.diffs).toContainEqual({
      old_path: 'cache.json',
      new_path: 'cache.json',
      a_mode: '0',
      b_mode: '100644',
      diff: '@@ -0,0 +1 @@\n+{ "home": 300 }\n',
      new_file: true,
      renamed_file: false,
      deleted_file: false,
      collapsed: false,
      too_large: false,
    })
    expect(body).toMatchObject({ compare_timeout: false, compare_same_ref: false })
  })

  test('the other way round there is nothing, unless compared directly', async () => {
    const reverse = await send(`GET ${base}/compare?from=cache-home&to=main`)
    expect(reverse.body).toMatchObject({ commit: null, commits: [], diffs: [] })
    const straight = await send(`GET ${base}/compare?from=cache-home&to=main&straight=true`)
    expect(straight.body).toMatchObject({
      commits: [],
      diffs: [{ old_path: 'cache.json', deleted_file: true, b_mode: '0' }],
    })
  })

  test('a diff above the limit is omitted, and says so', async () => {
    const author = { name: 'Bob', email: 'bob@example.com' }
    const files = [
      { path: 'large.txt', content: 'line\n'.repeat(60_000) },
      { path: 'small.txt', content: 'line\n' },
    ]
    const commits = [{ branch: 'large', message: 'Add', author, files }]
    const { ids } = await forge.as('bob').commits.import({ project: 'acme/web', commits })
    const expected = [
      { new_path: 'large.txt', diff: '', too_large: true, collapsed: false },
      { new_path: 'small.txt', diff: '@@ -0,0 +1 @@\n+line\n', too_large: false, collapsed: false },
    ]
    expect((await send(`GET ${base}/commits/${ids[0]}/diff`)).body).toMatchObject(expected)
    const compared = await send(`GET ${base}/compare?from=main&to=large`)
    expect(compared.body.diffs.slice(-2)).toMatchObject(expected)
  })

  test('a branch with itself has nothing, and says so', async () => {
    const { body } = await send(`GET ${base}/compare?from=main&to=HEAD`)
    expect(body).toMatchObject({ commit: null, commits: [], diffs: [], compare_timeout: false, compare_same_ref: true })
  })

  test('with unidiff differences name the files', async () => {
    const { body } = await send(`GET ${base}/compare?from=main&to=cache-home&unidiff=true`)
    expect(body.diffs).toMatchObject([{ diff: '--- /dev/null\n+++ b/cache.json\n@@ -0,0 +1 @@\n+{ "home": 300 }\n' }])
  })

  test('both ends have to be there', async () => {
    expect(await send(`GET ${base}/compare?to=main`)).toMatchObject({ status: 400, body: { error: 'from is missing' } })
    expect((await send(`GET ${base}/compare`)).body).toEqual({ error: 'from is missing, to is missing' })
    for (const ref of ['', ...hostile]) {
      for (const query of [`from=main&to=${encodeURIComponent(ref)}`, `from=${encodeURIComponent(ref)}&to=main`]) {
        const { status, body } = await send(`GET ${base}/compare?${query}`)
        expect([query, status, body]).toEqual([query, 404, { message: '404 Ref Not Found' }])
      }
    }
  })
})

describe('statistics', () => {
  test('count clones and pulls by day, newest first', async () => {
    await using other = await world({ seed: demoWithCode, port: 0 })
    const get = client(other)
    const git = createGitClient()
    try {
      const read = async () => (await get('GET /projects/acme%2Fweb/statistics', { as: 'alice' })).body
      expect(await read()).toEqual({ fetches: { total: 0, days: [] } })
      const today = new Date(other.clock.now()).toISOString().slice(0, 10)
      const url = `${other.url}/acme/web.git`
      await git.git('', 'clone', '-q', url, 'clone')
      expect(await read()).toEqual({ fetches: { total: 1, days: [{ count: 1, date: today }] } })
      await git.git('', 'ls-remote', '-q', url)
      await git.git('clone', 'fetch', '-q')
      await git.git('', '-c', 'protocol.version=0', 'clone', '-q', url, 'second')
      expect((await read()).fetches.total).toBe(2)
    } finally {
      git.remove()
    }
  })
})

describe('languages', () => {
  const languages = '/projects/acme%2Fweb/languages'

  test('are percentages of the code in the default branch, by name, and filter lists of projects', async () => {
    await using other = await world({ seed: demoWithCode })
    const get = client(other)
    const { status, body } = await get(`GET ${languages}`)
    const sizes = { HTML: 0, CSS: 0 }
    const { body: tree } = await get(`GET ${base}/tree?recursive=true&per_page=100`)
    for (const { type, id, path } of tree) {
      const language = /\.html$/.test(path) ? 'HTML' : /\.css$/.test(path) ? 'CSS' : undefined
      if (type === 'blob' && language) sizes[language] += (await get(`GET ${base}/blobs/${id}`)).body.size
    }
    const percent = (size: number) => Number(((100 * size) / (sizes.HTML + sizes.CSS)).toFixed(2))
    expect(status).toBe(200)
    expect(body).toEqual({ HTML: percent(sizes.HTML), CSS: percent(sizes.CSS) })
    const values = Object.values<number>(body)
    expect(values).toEqual(values.toSorted((a, b) => b - a))
  })

  test('are counted again after a push', async () => {
    await using other = await world({ seed: demoWithCode })
    const get = client(other)
    const filter = async (language: string) =>
      (await get(`GET /projects?with_programming_language=${encodeURIComponent(language)}`)).body.length
    const { platform } = other
    await platform.jobs.drain()
    expect([await filter('html'), await filter('Ruby'), await filter('')]).toEqual([1, 0, 0])
    const before = (await get(`GET ${languages}`)).body
    await other.as('alice').repositoryFiles.create({
      project: 'acme/web',
      branch: 'main',
      filePath: 'lib/web.rb',
      content: 'x'.repeat(100_000),
      commitMessage: 'Add Ruby',
    })
    await platform.jobs.drain()
    expect(await filter('rUBY')).toBe(1)
    const { body } = await get(`GET ${languages}`)
    expect(Object.keys(body)).toEqual(['Ruby', ...Object.keys(before)])
    expect(body.Ruby).toBeGreaterThan(99)
  })

  test('of a project without commits are none', async () => {
    const { status, body } = await send('GET /projects/bob%2Fnotes/languages', { as: 'bob' })
    expect([status, body]).toEqual([200, {}])
  })
})

describe('contributors', () => {
  const names = async (query: string) =>
    (await send(`GET ${base}/contributors?${query}`)).body.map(({ name }: { name: string }) => name)

  test('count commits and lines', async () => {
    const { status, body, headers } = await send(`GET ${base}/contributors`)
    expect(status).toBe(200)
    expect(headers.get('x-total')).toBe('3')
    expect(body).toContainEqual({
      name: 'Bob Builder',
      email: 'bob@example.com',
      commits: 1,
      additions: 4,
      deletions: 0,
    })
  })

  test('are ordered as asked, by commits from the fewest when nothing is said', async () => {
    await forge.host.commits.import({
      project: 'acme/web',
      commits: [
        {
          message: 'Again',
          author: { name: 'Bob Builder', email: 'bob@example.com', date: '2026-02-01T00:00:00Z' },
          files: [{ path: 'again', content: 'again\n' }],
        },
      ],
    })
    expect(await names('')).toEqual(['Alice Liddell', 'Carol Danvers', 'Bob Builder'])
    expect(await names('order_by=commits&sort=desc')).toEqual(['Bob Builder', 'Alice Liddell', 'Carol Danvers'])
    expect(await names('order_by=name&sort=desc')).toEqual(['Carol Danvers', 'Bob Builder', 'Alice Liddell'])
    expect(await names('order_by=email')).toEqual(['Alice Liddell', 'Bob Builder', 'Carol Danvers'])
    expect(await names('order_by=name&per_page=1&page=2')).toEqual(['Bob Builder'])
  })

  test('faults are said in the usual words; a repository without commits is 404', async () => {
    expect((await send(`GET ${base}/contributors?order_by=age`)).body).toEqual({
      error: 'order_by does not have a valid value',
    })
    expect((await send(`GET ${base}/contributors?sort=up`)).body).toEqual({ error: 'sort does not have a valid value' })
    const { status, body } = await send(`GET ${empty}/contributors`, { as: 'bob' })
    expect([status, body]).toEqual([404, { message: '404 Not Found' }])
  })
})

describe('merge base', () => {
  test('is a whole commit', async () => {
    const { status, body } = await send(`GET ${base}/merge_base?refs[]=cache-home&refs[]=v0.1.0`)
    expect(status).toBe(200)
    expect(body).toEqual(commit)
    expect(body.title).toBe('Add styles')
    const three = await send(`GET ${base}/merge_base?refs[]=cache-home&refs[]=v0.1.0&refs[]=main`)
    expect(three.body.id).toBe(body.id)
  })

  test('needs two that are known', async () => {
    const response = async (query: string) => {
      const { status, body } = await send(`GET ${base}/merge_base?${query}`)
      return [status, body]
    }
    expect(await response('')).toEqual([400, { error: 'refs is missing' }])
    expect(await response('refs[]=main')).toEqual([400, { message: 'Provide at least 2 refs' }])
    expect(await response('refs[]=main&refs[]=x')).toEqual([400, { message: 'Could not find ref: x' }])
    expect(await response('refs[]=y&refs[]=x')).toEqual([400, { message: 'Could not find refs: y, x' }])
    for (const ref of hostile) {
      const [status, body] = await response(`refs[]=main&refs[]=${encodeURIComponent(ref)}`)
      expect([status, body]).toEqual([400, { message: `Could not find ref: ${ref}` }])
    }
  })

  test('of histories that never met is 404', async () => {
    await forge.host.commits.import({
      project: 'acme/web',
      commits: [
        {
          branch: 'another-beginning',
          parents: [],
          message: 'Another beginning',
          author: { name: 'A', email: 'a@example.com', date: '2026-02-01T00:00:00Z' },
        },
      ],
    })
    expect(await send(`GET ${base}/merge_base?refs[]=main&refs[]=another-beginning`)).toMatchObject({
      status: 404,
      body: { message: '404 Merge Base Not Found' },
    })
  })
})

describe('all of them', () => {
  const paths = ['tree', 'archive', 'compare?from=main&to=main', 'contributors', 'merge_base?refs[]=main&refs[]=main']

  test('cannot be asked with a wrong token, and look like nothing in projects one cannot see', async () => {
    for (const path of [...paths, 'branches', 'tags', 'commits/main']) {
      expect((await send(`GET ${base}/${path}`, { headers: { 'private-token': 'wrong' } })).status).toBe(401)
      expect(await send(`GET ${empty}/${path}`, { as: 'mallory' })).toMatchObject({
        status: 404,
        body: { message: '404 Project Not Found' },
      })
    }
  })

  test('refuse text that no database can hold, and methods that are none', async () => {
    expect((await send(`GET ${base}/tree?path=%00`)).status).toBe(400)
    expect((await send(`GET ${base}/tree?ref=%00`)).status).toBe(400)
    expect((await send(`GET ${base}/tree?ref=%ff`)).status).toBe(400)
    expect((await send(`POST ${base}/tree`, { as: 'alice' })).status).toBe(405)
  })
})

describe('what the project record tells', () => {
  test('a default branch, a file that introduces it, and that it is not empty', async () => {
    const { body } = await send('GET /projects/acme%2Fweb', { as: 'alice' })
    expect(body).toMatchObject({ default_branch: 'main', empty_repo: false })
    expect(body.readme_url).toMatch(/\/acme\/web\/-\/blob\/main\/README\.md$/)
    expect((await send('GET /projects/bob%2Fnotes', { as: 'bob' })).body).toMatchObject({
      empty_repo: true,
      readme_url: null,
    })
  })
})

describe('branches and tags', () => {
  test('are listed, and a branch is found by its name', async () => {
    const { headers, body } = await send(`GET ${base}/branches`)
    expect(headers.get('x-total')).toBe(String(body.length))
    const main = {
      name: 'main',
      merged: false,
      protected: true,
      default: true,
      developers_can_push: false,
      developers_can_merge: false,
      can_push: false,
      web_url: `${forge.url}/acme/web/-/tree/main`,
      commit,
    }
    expect(body).toContainEqual(main)
    expect(await send(`GET ${base}/branches/main`)).toMatchObject({ status: 200, body: main })
    expect(await send(`GET ${base}/branches/nope`)).toMatchObject({ status: 404 })
    expect(await send(`GET ${base}/tags`)).toMatchObject({ status: 200, body: expect.any(Array) })
  })
})

test('the repository is packed in a job, and its storage is listed for administrators', async () => {
  const { status, body } = await send('POST /projects/acme%2Fweb/housekeeping', { as: 'alice' })
  expect({ status, body }).toEqual({ status: 201, body: { message: '201 Created' } })
  await forge.platform.jobs.drain()
  expect((await send(`GET ${base}/branches/main`)).status).toBe(200)
  expect((await send('POST /projects/bob%2Fnotes/housekeeping', { as: 'bob' })).status).toBe(201)
  const storage = await send('GET /projects/acme%2Fweb/storage', { as: 'root' })
  expect(storage.body).toEqual({
    project_id: expect.any(Number),
    disk_path: expect.any(String),
    repository_storage: 'default',
    created_at: expect.any(String),
  })
  expect((await send('GET /projects/bob%2Fnotes/storage', { as: 'root' })).body).toMatchObject({
    disk_path: null,
    created_at: expect.any(String),
  })
})

everyRouteCalled('repository')
