import { type FakeForge, fakeForge, type Seed } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  browserPath,
  desktop,
  findAccessibilityFaults,
  horizontalOverflow,
  readTabOrder,
  type Visit,
  views,
  visit,
} from './browser.ts'

/** Runs if it is inserted as HTML, and requests another server if it is loaded. */
const hostile = `"'><script>window.executed = 1</script><img src="https://evil.example/x.png" onerror="window.executed = 1"><svg onload="window.executed=1"></svg>{{7*7}}\${7*7}<!--`
const hostileMarkdown = [
  `# ${hostile}`,
  hostile,
  '[link](javascript:window.executed=1)',
  '![image](https://evil.example/y.png)',
  `\`\`\`html\n${hostile}\n\`\`\``,
  '<style>@import "https://evil.example/z.css"</style><iframe src="https://evil.example"></iframe>',
  '<a href="javascript:window.executed=1" onclick="window.executed=1">a</a>',
].join('\n\n')

/** Git accepts no angle brackets in names. */
const author = { name: `"' onload="window.executed=1" \${7*7}`, email: 'eve@example.com' }

const seed: Seed = {
  users: [{ username: 'eve', name: hostile, tokens: [{ name: hostile, secret: 'eve-token', scopes: ['api'] }] }],
  groups: [
    {
      path: 'bad',
      name: 'Bad',
      description: hostile,
      visibility: 'public',
      members: [{ user: 'eve', access: 'owner' }],
      labels: [{ name: hostile.replaceAll(',', ''), color: '#ff0000', description: hostileMarkdown }],
      epics: [
        {
          title: hostile,
          description: hostileMarkdown,
          author: 'eve',
          notes: [{ author: 'eve', body: hostileMarkdown }],
        },
      ],
    },
  ],
  projects: [
    {
      path: 'bad/code',
      name: 'Code',
      description: hostileMarkdown,
      visibility: 'public',
      labels: [{ name: `p ${hostile}`, color: 'red', description: hostileMarkdown }],
      milestones: [{ title: hostile, description: hostileMarkdown }],
      issues: [
        {
          title: hostile,
          description: hostileMarkdown,
          author: 'eve',
          labels: [`p ${hostile}`],
          milestone: hostile,
          notes: [{ author: 'eve', body: hostileMarkdown }],
        },
      ],
      mergeRequests: [
        {
          title: hostile,
          description: hostileMarkdown,
          author: 'eve',
          sourceBranch: 'x"><script>window.executed=1</script>',
          notes: [{ author: 'eve', body: hostileMarkdown }],
        },
      ],
      wikiPages: [{ title: hostile.replaceAll('/', '-'), content: hostileMarkdown }],
      packages: [{ name: 'tool', version: '1.0.0', files: [{ name: 'tool.sh', content: 'echo' }] }],
      environments: [{ name: 'production', description: hostile, externalUrl: 'https://www.example.com' }],
      pipelines: [
        {
          ref: 'main',
          sha: 'a'.repeat(40),
          name: hostile,
          jobs: [{ name: hostile, stage: hostile, status: 'failed' }],
        },
      ],
      snippets: [
        {
          title: hostile,
          fileName: 'a"><script>window.executed=1<script>.html',
          content: hostile,
          author: 'eve',
          visibility: 'public',
        },
      ],
      repository: {
        ifPossible: true,
        commits: [
          {
            author,
            message: `${hostile}\n\n${hostile}`,
            files: { 'README.md': hostileMarkdown, '"><script>window.executed=1<': hostile, 'index.html': hostile },
          },
          {
            author,
            message: hostile,
            branch: 'x"><script>window.executed=1</script>',
            parents: [0],
            files: { 'index.html': `${hostile}\nmore\n` },
          },
        ],
        tags: [{ name: 'v"><script>1</script>', at: 1, message: hostile }],
      },
      releases: [{ tag: 'v"><script>1</script>', name: hostile, author: 'eve', description: hostileMarkdown }],
    },
  ],
}

const wikiSlug = hostile.replaceAll('/', '-').replaceAll(' ', '-')

const paths = (issueLabel: string) => [
  '/',
  '/bad',
  '/groups/bad/-/labels',
  '/groups/bad/-/epics',
  '/groups/bad/-/epics/1',
  '/eve',
  '/bad/code',
  '/bad/code/-/tree/main',
  '/bad/code/-/blob/main/index.html',
  '/bad/code/-/blob/main/README.md',
  `/bad/code/-/blob/main/${encodeURIComponent('"><script>window.executed=1<')}`,
  '/bad/code/-/raw/main/index.html',
  '/bad/code/-/branches',
  '/bad/code/-/tags',
  '/bad/code/-/commit/main',
  '/bad/code/-/issues',
  `/bad/code/-/issues?search=${encodeURIComponent(hostile)}&label=${encodeURIComponent(issueLabel)}&state=all`,
  '/bad/code/-/issues/1',
  '/bad/code/-/merge_requests',
  '/bad/code/-/merge_requests/1',
  '/bad/code/-/milestones',
  '/bad/code/-/milestones/1',
  '/bad/code/-/labels',
  '/bad/code/-/releases',
  '/bad/code/-/snippets/1',
  '/bad/code/-/snippets',
  '/-/snippets',
  '/-/todos',
  '/-/account',
  '/-/account/tokens',
  '/-/account/keys',
  '/-/account/notifications',
  '/bad/code/-/activity',
  '/bad/code/-/project_members',
  '/groups/bad/-/group_members',
  '/groups/bad/-/issues',
  '/groups/bad/-/merge_requests',
  '/bad/code/-/wikis',
  `/bad/code/-/wikis/${encodeURIComponent(wikiSlug)}`,
  '/bad/code/-/packages',
  '/bad/code/-/packages/1',
  '/bad/code/-/environments',
  '/bad/code/-/environments/1',
  '/bad/code/-/pipelines',
  '/bad/code/-/pipelines/1',
  '/bad/code/-/jobs',
  '/bad/code/-/jobs/1',
  `/bad/code/-/compare/${encodeURIComponent('main...x"><script>window.executed=1</script>')}`,
  '/bad/code/-/blame/main/index.html',
  ...['issues', 'merge_requests', 'milestones', 'projects', 'users', 'snippet_titles'].map(
    (scope) => `/-/search?scope=${scope}&search=script`,
  ),
  ...['notes', 'blobs', 'commits'].map((scope) => `/-/search?project_id=1&scope=${scope}&search=executed`),
  `/-/sign_in?return_to=${encodeURIComponent(`/${hostile}`)}&error=${encodeURIComponent(hostile)}`,
  `/${encodeURIComponent(hostile)}`,
]

describe.skipIf(browserPath === undefined)('pages in a browser', { timeout: 240_000 }, () => {
  let forge: FakeForge
  let bad: FakeForge
  beforeAll(async () => {
    const { demoWithCode } = await import('@forgelet/core/seed')
    forge = await fakeForge({ port: 0, seed: demoWithCode, time: '2026-03-10T12:00:00Z' })
    await forge.host.settings.update({ signupEnabled: true })
    await forge.host.appearances.update({
      headerMessage: 'Read *this*',
      footerMessage: '[Help](/help)',
      messageBackgroundColor: '#28272d',
    })
    for (const [message, broadcastType] of [
      ['Closed on [Sunday](/help)', 'banner'],
      ['New pages', 'notification'],
    ] as const)
      await forge.host.broadcastMessages.create({ message, broadcastType, dismissable: true, theme: 'light-indigo' })
    const { id } = await forge.host.pipelines.record({
      project: 'acme/web',
      ref: 'main',
      sha: 'a'.repeat(40),
      jobs: [{ name: 'build', stage: 'build', status: 'success' }],
    })
    const [job] = (await forge.host.pipelineJobs.list({ project: 'acme/web', pipeline: id })).items
    await forge.host.pipelineJobs.writeTrace({
      project: 'acme/web',
      job: job?.id ?? 0,
      content: `$ make\n${'g'.repeat(200)}\n`,
    })
    await forge.as('alice').wikis.create({ project: 'acme/web', title: 'docs/Set up', content: 'Use **make**.' })
    bad = await fakeForge({ port: 0, seed })
    await bad.host.appearances.update({ title: hostile, headerMessage: hostile, footerMessage: hostileMarkdown })
    await bad.host.broadcastMessages.create({ message: hostileMarkdown, dismissable: true })
    await bad.host.pipelineJobs.writeTrace({ project: 'bad/code', job: 1, content: hostile })
    await bad.as('eve').todos.create({ project: 'bad/code', issue: 1 })
    for (const body of [
      'A comment on #1 by @bob',
      `- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nA long word: ${'g'.repeat(200)}`,
    ])
      await forge.as('bob').notes.create({ project: 'acme/web', issue: 1, body })
  })
  afterAll(async () => {
    await forge?.close()
    await bad?.close()
  })

  const chooseUser = async ({ page }: Visit, user: string) => {
    await page.getByRole('button', { name: user, exact: true }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  }

  it.each(views)('have no layout, accessibility or network faults: $name', async (view) => {
    await visit(`${forge.url}/-/sign_in`, view, async (visited) => {
      const { page, externalRequests, consoleErrors, screenshot } = visited
      await screenshot('page-sign-in')
      expect(await findAccessibilityFaults(page)).toEqual([])
      await chooseUser(visited, 'alice')
      const pages = [
        '/',
        '/groups/acme',
        '/alice',
        '/acme/web',
        '/acme/web/-/tree/main',
        '/acme/web/-/blob/main/index.html',
        '/acme/web/-/commit/v0.1.0',
        '/acme/web/-/branches',
        '/acme/web/-/issues',
        '/acme/web/-/issues/1',
        '/acme/web/-/merge_requests/1',
        '/groups/acme/-/milestones/1',
        '/acme/web/-/labels',
        '/acme/web/-/releases',
        '/-/search?scope=issues&search=slow',
        '/-/snippets',
        '/-/todos',
        '/-/sign_up',
        '/-/users/terms',
        '/-/account',
        '/-/account/tokens',
        '/-/account/keys',
        '/-/account/notifications',
        '/groups/acme/-/issues',
        '/acme/web/-/activity',
        '/acme/web/-/project_members',
        '/acme/web/-/compare/v0.1.0...cache-home',
        '/acme/web/-/blame/main/index.html',
        '/acme/web/-/pipelines',
        '/acme/web/-/pipelines/1',
        '/acme/web/-/jobs/1',
        '/acme/web/-/wikis/docs/Set-up',
        '/acme/web/-/environments',
      ]
      for (const path of pages) {
        expect([path, (await page.goto(forge.url + path))?.status()]).toEqual([path, 200])
        await screenshot(`page${path.replaceAll('/', '-')}`)
        expect([path, await horizontalOverflow(page)]).toEqual([path, 0])
        expect([path, await findAccessibilityFaults(page)]).toEqual([path, []])
        expect((await readTabOrder(page, 60))[0], path).toBe('Skip to content')
      }
      expect(externalRequests).toEqual([])
      expect(consoleErrors).toEqual([])
    })
  })

  it('sign in, follow links and sign out', async () => {
    await visit(`${forge.url}/acme/tools/deploy`, desktop, async ({ page }) => {
      await page.getByRole('link', { name: 'Sign in' }).last().click()
      await page.getByLabel('Personal access token').fill(forge.token('alice'))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Deploy', level: 1 }).waitFor()
      await page.goto(`${forge.url}/acme/web`)
      await page.getByRole('link', { name: 'Issues' }).click()
      await page.getByRole('link', { name: 'The home page is slow' }).click()
      await page.getByRole('heading', { name: 'The home page is slow #1' }).waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('link', { name: 'Sign in' }).waitFor()
      expect((await page.goto(`${forge.url}/acme/tools/deploy`))?.status()).toBe(404)
    })
  })

  it('run no scripts of names, texts, files and messages, and request nothing from other hosts', async () => {
    await visit(`${bad.url}/-/sign_in`, desktop, async (visited) => {
      const { page } = visited
      await chooseUser(visited, 'eve')
      // Requests that the policy blocks are not sent; the browser reports them nevertheless.
      const sent: string[] = []
      page.on('requestfinished', (request) => sent.push(request.url()))
      page.on('response', (response) => sent.push(response.url()))
      const statuses: Record<string, number | undefined> = {}
      for (const path of paths(`p ${hostile}`)) {
        statuses[path] = (await page.goto(bad.url + path))?.status()
        expect(await page.evaluate(() => (window as { executed?: number }).executed), path).toBeUndefined()
        expect(
          await page.evaluate(() => document.querySelectorAll('script, iframe, [onerror], [onload], [onclick]').length),
          path,
        ).toBe(0)
        expect(
          await page.evaluate(() => [...document.links].filter(({ protocol }) => !/^https?:$/.test(protocol)).length),
          path,
        ).toBe(0)
      }
      const failed = Object.entries(statuses)
        .filter(([, status]) => status !== 200)
        .map(([path]) => path)
      expect(failed).toEqual([`/${encodeURIComponent(hostile)}`])
      expect(sent.filter((url) => !url.startsWith(bad.url) && !url.startsWith('data:'))).toEqual([])
    })
  })
})
