import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { world } from '../world.ts'
import { signIn, visitor } from './page-client.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: fullSeed, time: '2026-03-10T12:00:00Z' })
})
afterEach(() => forge.close())

describe('a page', () => {
  test('exists for every part of projects, groups, users and snippets', async () => {
    await readAllIds(forge)
    const { items: snippets } = await forge.as('carol').snippets.list()
    const milestone = await forge.host.milestones.create({ group: 'acme', title: 'Launch' })
    await forge.host.milestones.create({ project: 'acme/web', title: '1.1', description: 'See #1' })
    const snippet = snippets[0]?.id
    const group = await forge.host.groups.get({ group: 'acme' })
    const titles: Readonly<Record<string, string>> = {
      '/': 'Projects',
      '/acme': 'Acme',
      '/groups/acme': 'Acme',
      '/acme/tools': 'Acme / Tools',
      '/groups/acme/-/epics': 'Epics · acme',
      '/groups/acme/-/epics/1': 'Conquer the world (&1) · acme',
      '/groups/acme/-/milestones': 'Milestones · acme',
      [`/groups/acme/-/milestones/${milestone.iid}`]: 'Launch · acme',
      '/groups/acme/-/labels': 'Labels · acme',
      '/bob': 'Bob Builder (@bob)',
      '/acme/web': 'Acme / Web',
      '/ACME/Web/': 'Acme / Web',
      '/acme/web/-/tree/main': 'Files at main · acme/web',
      '/acme/web/-/tree/main/docs': 'docs at main · acme/web',
      '/acme/web/-/blob/v0.1.0/index.html': 'index.html at v0.1.0 · acme/web',
      '/acme/web/-/commit/main': expect.stringMatching(/^Say how to build \([0-9a-f]{8}\) · acme\/web$/) as string,
      '/acme/web/-/commit/v0.1.0': expect.stringContaining('Add styles') as string,
      '/acme/web/-/branches': 'Branches · acme/web',
      '/acme/web/-/tags': 'Tags · acme/web',
      '/acme/web/-/issues': 'Issues · acme/web',
      '/acme/web/-/issues/1': 'The home page is slow (#1) · acme/web',
      '/acme/web/-/merge_requests': 'Merge requests · acme/web',
      '/acme/web/-/merge_requests/1': 'Cache the home page (!1) · acme/web',
      '/acme/web/-/milestones': 'Milestones · acme/web',
      '/acme/web/-/milestones/1': 'Of the project · acme/web',
      '/acme/web/-/labels': 'Labels · acme/web',
      '/acme/web/-/releases': 'Releases · acme/web',
      '/acme/web/-/releases/release-1': 'release-1 · acme/web',
      '/acme/web/-/releases/release-1/edit': 'release-1 · acme/web',
      '/acme/web/-/jobs/7': 'deploy (job 7) · acme/web',
      '/acme/web/-/jobs/1': 'build (job 1) · acme/web',
      '/acme/web/-/pipelines/1': 'Pipeline (#1) · acme/web',
      '/acme/web/-/jobs': 'Jobs · acme/web',
      '/acme/web/-/pipelines': 'Pipelines · acme/web',
      '/acme/web/-/environments': 'Environments · acme/web',
      '/acme/web/-/environments/1': 'production · acme/web',
      '/acme/web/-/packages': 'Packages · acme/web',
      '/acme/web/-/packages/1': 'tool 1.0.0 · acme/web',
      '/acme/web/-/activity': 'Activity · acme/web',
      '/acme/web/-/boards': 'Issue boards · acme/web',
      '/acme/web/-/boards/2': 'Work · acme/web',
      '/groups/acme/-/boards': 'Issue boards · acme',
      '/acme/web/-/forks': 'Forks · acme/web',
      '/acme/web/-/starrers': 'Stars · acme/web',
      '/acme/web/-/graphs/main': 'Contributors · acme/web',
      '/acme/web/-/pipeline_schedules': 'Pipeline schedules · acme/web',
      '/acme/web/-/container_registry': 'Container registry · acme/web',
      '/acme/web/-/container_registry/1': 'acme/web · acme/web',
      '/acme/web/-/project_members': 'Members · acme/web',
      '/acme/web/-/wikis': 'Wiki · acme/web',
      '/acme/web/-/wikis/docs/Set-up': 'docs/Set up · acme/web',
      '/acme/web/-/blame/main/index.html': 'Blame of index.html at main · acme/web',
      '/acme/web/-/compare': 'Compare revisions · acme/web',
      '/acme/web/-/compare/main...cache-home': 'Comparison of main...cache-home · acme/web',
      '/acme/web/-/snippets': 'Snippets · acme/web',
      '/groups/acme/-/issues': 'Issues · acme',
      '/groups/acme/-/merge_requests': 'Merge requests · acme',
      '/groups/acme/-/packages': 'Packages · acme',
      '/groups/acme/-/wikis': 'Wiki · acme',
      '/groups/acme/-/wikis/docs/Set-up': 'docs/Set up · acme',
      '/groups/acme/-/group_members': 'Members · acme',
      '/-/search': 'Search',
      '/-/search?scope=issues&search=slow': 'Search for slow',
      '/-/search?project_id=1&search=slow': 'Search for slow · acme/web',
      [`/-/search?group_id=${group.id}&search=slow`]: 'Search for slow · acme',
      '/-/snippets': 'Snippets',
      '/-/todos': 'To-do items',
      '/-/account': 'Account',
      '/-/account/tokens': 'Personal access tokens',
      '/-/account/keys': 'Keys',
      '/-/account/notifications': 'Notifications',
      '/-/account/applications': 'Applications',
      [`/acme/web/snippets/${snippet}`]: 'Deploy · acme/web',
      [`/acme/web/-/snippets/${snippet}`]: 'Deploy · acme/web',
      [`/snippets/${snippet}`]: 'Deploy · acme/web',
      '/-/sign_in': 'Sign in',
    }
    const visit = visitor(forge, await signIn(forge, 'root'))
    const found: Record<string, string | undefined> = {}
    for (const path of Object.keys(titles)) {
      const { status, title, text } = await visit(path)
      found[path] = status === 200 ? title : String(status)
      expect(text.match(/<h1>/g), path).toHaveLength(1)
    }
    expect(found).toEqual(titles)
  })

  test('does not exist for other paths', async () => {
    const visit = visitor(forge, await signIn(forge, 'root'))
    const paths = [
      '/nothing',
      '/acme/nothing',
      '/acme//web',
      '/acme/web/-',
      '/acme/web/-/nothing',
      '/acme/web/-/tree/nothing',
      '/acme/web/-/tree/main/nothing',
      '/acme/web/-/blob/main/docs',
      '/acme/web/-/blob/main',
      '/acme/web/-/raw/main/nothing',
      '/acme/web/-/commit/0000000',
      '/acme/web/-/issues/99',
      '/acme/web/-/issues/1e0',
      '/acme/web/-/issues/99999999999999999999',
      '/acme/web/-/milestones/99',
      '/acme/web/-/jobs/99',
      '/acme/web/-/pipelines/99',
      '/acme/web/-/jobs/99/raw',
      '/acme/web/-/jobs/1/artifacts/download',
      '/acme/web/-/environments/99',
      '/acme/web/-/packages/99',
      '/acme/web/-/boards/99',
      '/acme/web/-/container_registry/99',
      '/acme/web/-/graphs/nothing',
      '/acme/web/-/wikis/nothing',
      '/acme/web/-/blame/main/nothing',
      '/acme/web/-/compare/main...nothing',
      '/-/search?project_id=99&search=a',
      '/acme/web/-/releases/nothing',
      '/bob/notes/snippets/1',
      '/groups/acme/-/epics/99',
      '/groups/bob',
      '/snippets/99',
      '/-/nothing',
      '/-/assets/0/site.css',
    ]
    for (const path of paths) {
      const { status, title } = await visit(path)
      expect([path, status, title]).toEqual([path, 404, 'Page not found'])
    }
    expect((await visit('/%ff')).status).toBe(404)
    for (const path of ['/%00', '/acme/web%00/-/issues', '/acme/web/-/tree/%00', '/acme/web/-/issues?search=%00'])
      expect([path, (await visit(path)).title]).toEqual([path, 'Invalid request'])
    expect((await visit('/acme/web', { method: 'POST' })).status).toBe(404)
  })

  test('shows lists with filters and links to the other pages', async () => {
    const visit = visitor(forge, await signIn(forge, 'carol'))
    const open = await visit('/acme/web/-/issues')
    expect(open.text).toContain('The home page is slow')
    expect(open.text).not.toContain('Typo in the footer')
    const closed = await visit('/acme/web/-/issues?state=closed')
    expect(closed.text).toContain('Typo in the footer')
    expect((await visit('/acme/web/-/issues?label=feature')).text).not.toContain('The home page is slow')
    expect((await visit('/acme/web/-/issues?search=slow')).text).not.toContain('Dark mode')
    expect((await visit('/acme/web/-/merge_requests?state=merged')).text).toContain('No matching entries.')
    for (let count = 0; count < 25; count++)
      await forge.as('carol').issues.create({ project: 'acme/web', title: `New ${count}` })
    const first = await visit('/acme/web/-/issues?state=all&search=new')
    expect(first.text).toContain('href="/acme/web/-/issues?state=all&amp;search=new&amp;page=2"')
    const second = await visit('/acme/web/-/issues?state=all&search=new&page=2')
    expect(second.text).toContain('Page 2 of 2')
    expect(second.text).toContain('New 0<')
    expect((await visit('/acme/web/-/issues?page=99999999999999&state=x&label=')).status).toBe(200)
  })

  test('has branches with slashes, encoded or not', async () => {
    const files = [{ path: 'a b/ü#?.txt', content: 'one\ntwo\n' }]
    await forge.as('bob').commits.import({
      project: 'acme/web',
      commits: [{ message: 'Add', branch: 'feature/x', author: { name: 'Bob', email: 'bob@example.com' }, files }],
    })
    const visit = visitor(forge)
    for (const path of ['feature/x/a%20b', 'feature%2Fx/a%20b']) {
      const { title, text } = await visit(`/acme/web/-/tree/${path}`)
      expect(title).toBe('a b at feature/x · acme/web')
      expect(text).toContain('href="/acme/web/-/blob/feature/x/a%20b/%C3%BC%23%3F.txt"')
    }
    const { text } = await visit('/acme/web/-/blob/feature/x/a%20b/%C3%BC%23%3F.txt')
    expect(text).toContain('<span class="line" id="L2"><a href="#L2" tabindex="-1">2</a>two')
  })
})

test('links and images of a README are relative to its directory, or to the root of the repository', async () => {
  const content = '[a](docs/a.md#b) ![i](img/i.png) [t](#top) [s](/acme) [h](https://example.com/) `href="c"`'
  const author = { name: 'Bob', email: 'bob@example.com' }
  const files = [{ path: 'README.md', content }]
  await forge
    .as('alice')
    .commits.import({ project: 'acme/web', commits: [{ message: 'Link', branch: 'main', author, files }] })
  const { text } = await visitor(forge)('/acme/web')
  const [, readme = ''] = text.split('<h2 id="readme">')
  expect([...readme.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, url]) => url)).toEqual([
    '/acme/web/-/blob/main/docs/a.md#b',
    '/acme/web/-/raw/main/img/i.png',
    '#top',
    '/acme/web/-/blob/main/acme',
    'https://example.com/',
  ])
})

describe('raw files', () => {
  test('are never run by a browser', async () => {
    const files = [
      { path: 'page.html', content: '<script>alert(1)</script>' },
      { path: 'image.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>' },
      { path: 'image.png', content: 'iVBORw0KGgo=', encoding: 'base64' as const },
      { path: 'archive "1".zip', content: 'AAEC', encoding: 'base64' as const },
    ]
    const author = { name: 'Bob', email: 'bob@example.com' }
    await forge
      .as('alice')
      .commits.import({ project: 'acme/web', commits: [{ message: 'Add', branch: 'main', author, files }] })
    const visit = visitor(forge)
    const types: Record<string, string | null> = {}
    for (const { path } of files) {
      const { status, headers } = await visit(`/acme/web/-/raw/main/${encodeURIComponent(path)}`)
      expect([status, headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
      types[path] = `${headers.get('content-type')} ${headers.get('content-disposition')}`
    }
    expect(types).toEqual({
      'page.html': 'text/plain; charset=utf-8 inline',
      'image.svg': 'text/plain; charset=utf-8 inline',
      'image.png': 'image/png inline',
      'archive "1".zip': 'application/octet-stream attachment; filename="archive 1.zip"',
    })
    const { headers } = await visit('/acme/web/-/raw/main/page.html')
    const cached = await visit('/acme/web/-/raw/main/page.html', {
      headers: { 'If-None-Match': headers.get('etag') as string },
    })
    expect([cached.status, cached.text]).toEqual([304, ''])
    const blob = await visit('/acme/web/-/blob/main/archive%20%221%22.zip')
    expect(blob.text).toContain('The file cannot be shown here.')
    expect((await visit('/acme/web/-/blob/main/image.png')).text).toContain('<img src="/acme/web/-/raw/main/image.png"')
  })
})

describe('the permissions', () => {
  test('are those of the API; what a visitor cannot see does not exist', async () => {
    const paths = ['/acme/tools/deploy', '/acme/web/-/issues/3', '/bob', '/groups/acme/-/epics/1', '/bob/notes']
    const statuses: Record<string, readonly number[]> = {}
    for (const user of [undefined, 'mallory', 'dave', 'root']) {
      const visit = visitor(forge, user === undefined ? undefined : await signIn(forge, user))
      const results = await Promise.all(paths.map(async (path) => (await visit(path)).status))
      statuses[user ?? 'anonymous'] = results
    }
    expect(statuses).toEqual({
      anonymous: [404, 404, 404, 200, 404],
      mallory: [404, 404, 200, 200, 404],
      dave: [404, 404, 200, 200, 404],
      root: [200, 200, 200, 200, 200],
    })
    const visit = visitor(forge)
    const [hidden, missing] = [await visit('/acme/tools/deploy'), await visit('/acme/tools/absent')]
    expect(hidden.text.replaceAll('deploy', 'absent')).toBe(missing.text)
    expect(hidden.text).toContain('href="/-/sign_in?return_to=%2Facme%2Ftools%2Fdeploy"')
  })

  test('of disabled parts: 403 for users, 404 for anonymous visitors', async () => {
    await forge.host.projects.update({ project: 'acme/web', issuesAccessLevel: 'disabled' })
    expect((await visitor(forge)('/acme/web/-/issues')).status).toBe(404)
    const { status, title } = await visitor(forge, await signIn(forge, 'bob'))('/acme/web/-/issues')
    expect([status, title]).toEqual([403, 'No permission'])
  })
})
