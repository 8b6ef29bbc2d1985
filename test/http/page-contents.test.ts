import { type FakeForge, fakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { signIn, type VisitedPage, visitor } from '../pages/page-client.ts'

let forge: FakeForge
let visit: (path: string) => Promise<VisitedPage>
let visitAnonymously: typeof visit
const project = 'acme/web'

beforeAll(async () => {
  forge = await fakeForge({ seed: fullSeed, time: '2026-03-10T12:00:00Z' })
  await readAllIds(forge)
  visit = visitor(forge, await signIn(forge, 'alice'))
  visitAnonymously = visitor(forge)
})
afterAll(() => forge.close())

/** The text of a page or a part of it, without tags. */
const readText = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** The text of the section with a heading of this id. */
const readSection = ({ text }: VisitedPage, id: string) =>
  readText(text.split(`<section aria-labelledby="${id}">`)[1]?.split('</section>')[0] ?? '')

const readLinks = ({ text }: VisitedPage, id: string): readonly string[] =>
  [...(text.split(`<section aria-labelledby="${id}">`)[1] ?? '').matchAll(/ href="([^"]+)"/g)].map(
    ([, href = '']) => href,
  )

const readDetails = ({ text }: VisitedPage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/<dt>(?<name>.*?)<\/dt><dd>(?<value>.*?)<\/dd>/gs)].map(({ groups }) => [
      groups?.name,
      readText(groups?.value ?? ''),
    ]),
  )

test('a merge request shows reviewers, approvals, the pipeline, whether it can be merged, and what it closes', async () => {
  const mergeRequest = 1
  const { mergeRequests, mergeRequestApprovals } = forge.as('alice')
  const carol = await forge.host.users.get({ user: 'carol' })
  await mergeRequests.update({ project, mergeRequest, reviewers: [carol.id], description: 'Closes #2' })
  await mergeRequestApprovals.approve({ project, mergeRequest })
  const { sha } = await mergeRequests.get({ project, mergeRequest })
  await forge.host.pipelines.record({
    project,
    ref: 'cache',
    sha: sha ?? '',
    jobs: [{ name: 'test', stage: 'test', status: 'success' }],
  })
  const page = await visit('/acme/web/-/merge_requests/1')
  const found = readDetails(page)
  expect(found).toMatchObject({ Reviewers: 'Carol Danvers', Approvals: 'Approved by Alice Liddell' })
  expect(found.Merge).toBe('Can be merged')
  expect(readSection(page, 'closes')).toContain('Dark mode')
  expect(readSection(page, 'label-history')).toMatch(/Administrator added changed ?, 2026/)
  expect(page.text).toContain('rocket, 1 user')
  expect(readDetails(await visitAnonymously('/acme/web/-/merge_requests/1')).Reviewers).toBe('Carol Danvers')
})

test('a comment on a line is shown in the changes, and others below the description', async () => {
  const { items } = await forge.host.mergeRequests.list({ project, search: 'A text' })
  const path = `/acme/web/-/merge_requests/${items[0]?.iid}`
  await forge.as('bob').notes.create({ project, mergeRequest: items[0]?.iid ?? 0, body: 'A remark on everything' })
  const page = await visit(path)
  expect(readSection(page, 'comments')).toContain('A remark on everything')
  expect(readSection(page, 'comments')).not.toContain('Better')
  expect(page.text).toMatch(/<tr class="added">.*\+Good.*<tr class="remark">.*Better/s)
})

test('an issue shows its links, merge requests, reactions and history', async () => {
  await forge.as('alice').issues.update({ project, issue: 1, weight: 3, dueDate: '2026-04-01', title: 'Very slow' })
  await forge.as('alice').issues.update({ project, issue: 1, title: 'The home page is slow' })
  const page = await visit('/acme/web/-/issues/1')
  expect(readDetails(page)).toMatchObject({ Due: '2026-04-01', Weight: '3' })
  expect(readSection(page, 'links')).toContain('Dark mode')
  expect(page.text).toContain('thumbsup, 2 users')
  expect(readSection(page, 'comments')).toContain('changed title from')
  const changed = await visit('/acme/web/-/issues/3')
  expect(readSection(changed, 'label-history')).toContain('changed')
})

test('an empty project shows how to push code', async () => {
  await forge.as('alice').projects.create({ name: 'Blank', namespace: 'acme', visibility: 'public' })
  expect(readSection(await visit('/acme/blank'), 'push')).toContain(`git remote add origin ${forge.url}/acme/blank.git`)
  expect((await visitAnonymously('/acme/blank')).text).not.toContain('git remote add')
})

test('a group lists the issues and merge requests of its projects', async () => {
  expect((await visit('/groups/acme/-/issues?label_name[]=feature')).text).toContain('acme/web#2')
  expect((await visit('/groups/acme/-/merge_requests')).text).toContain('acme/web!1')
})

test('the activity of a user has links', async () => {
  const activity = readLinks(await visit('/bob'), 'activity')
  expect(activity).toContainEqual(expect.stringMatching(/^\/acme\/web\/-\/merge_requests\/\d+#note_\d+$/))
  expect(activity).toContain('/acme/web')
})

test('a pipeline shows its stages, and a job its log without control codes', async () => {
  const jobs = [
    { name: 'lint', stage: 'test', status: 'success' },
    { name: 'ship', stage: 'deploy', status: 'failed' },
  ] as const
  const { id } = await forge.host.pipelines.record({ project, ref: 'main', sha: 'b'.repeat(40), jobs: [...jobs] })
  const { items } = await forge.host.pipelineJobs.list({ project, pipeline: id })
  const job = items.find(({ name }) => name === 'lint')?.id ?? 0
  await forge.host.pipelineJobs.writeTrace({ project, job, content: '\u001b[31mred\u001b[0m\n10 %\r100 %\n<b>' })
  const pipeline = await visit(`/acme/web/-/pipelines/${id}`)
  expect([...pipeline.text.matchAll(/class="stage">(?<name>[^<]+)/g)].map(([, name]) => name)).toEqual([
    'test',
    'deploy',
  ])
  expect((await visit('/acme/web/-/pipelines')).text).toContain(`/acme/web/-/pipelines/${id}`)
  expect((await visit('/acme/web/-/jobs')).text).toContain(`/acme/web/-/jobs/${job}`)
  expect(readSection(await visit(`/acme/web/-/jobs/${job}`), 'log')).toBe('Log Complete log 1 red 2 100 % 3 &lt;b&gt;')
  expect((await visit(`/acme/web/-/jobs/${job}/raw`)).text).toContain('\u001b[31mred')
})

test('revisions are compared, and the lines of a file have the commits that changed them', async () => {
  const comparison = await visit('/acme/web/-/compare/main...cache-home')
  expect(readSection(comparison, 'commits')).toContain('Cache the home page')
  expect(readSection(comparison, 'changes')).toContain('cache.json')
  const { status, headers } = await visit('/acme/web/-/compare?from=main&to=cache-home')
  expect([status, headers.get('location')]).toEqual([302, '/acme/web/-/compare/main...cache-home'])
  const blame = await visit('/acme/web/-/blame/main/index.html')
  expect(readText(blame.text.split('class="blame">')[1]?.split('</table>')[0] ?? '')).toMatch(
    /Begin the website Alice Liddell.* 1 .*Add styles Bob Builder.* 3 /,
  )
})

test('members, wiki pages, snippets, packages, environments and the activity are listed with links', async () => {
  const found: Record<string, string> = {}
  for (const [path, link] of [
    ['/acme/web/-/project_members', '/carol'],
    ['/groups/acme/-/group_members', '/bob'],
    ['/acme/web/-/wikis', '/acme/web/-/wikis/docs/Set-up'],
    ['/groups/acme/-/wikis', '/groups/acme/-/wikis/docs/Set-up'],
    ['/acme/web/-/snippets', '/acme/web/snippets/1'],
    ['/-/snippets', '/snippets/2'],
    ['/acme/web/-/packages', '/acme/web/-/packages/1'],
    ['/groups/acme/-/packages', '/acme/web/-/packages/1'],
    ['/acme/web/-/environments', '/acme/web/-/environments/1'],
    ['/acme/web/-/environments/1', '/acme/web/-/jobs/7'],
    ['/acme/web/-/activity', '/acme/web/-/issues/1'],
  ] as const) {
    const { status, text } = await visit(path)
    if (status !== 200 || !text.includes(`href="${link}`)) found[path] = `${status}, without ${link}`
  }
  expect(found).toEqual({})
  expect((await visit('/acme/web/-/wikis/docs/Set-up')).text).toContain('<strong>make</strong>')
  expect((await visit('/acme/web/-/packages/1')).text).toContain('tool.sh')
})

test('the to-do items of the visitor lead to what they are about', async () => {
  await forge.as('alice').todos.create({ project, issue: 2 })
  expect((await visit('/-/todos')).text).toContain('href="/acme/web/-/issues/2"')
  expect((await visit('/-/todos?state=done')).text).not.toContain('issues/2')
  expect((await visitAnonymously('/-/todos')).status).toBe(404)
})

test('a search finds items of each kind, with links', async () => {
  const { id } = await forge.host.projects.get({ project })
  const links: Record<string, string> = {}
  for (const [query, link] of [
    ['scope=projects&search=website', '/acme/web'],
    ['scope=issues&search=slow', '/acme/web/-/issues/1'],
    ['scope=merge_requests&search=cache', '/acme/web/-/merge_requests/1'],
    ['scope=milestones&search=1.0', '/groups/acme/-/milestones/1'],
    ['scope=snippet_titles&search=deploy', '/acme/web/snippets/1'],
    ['scope=users&search=bob', '/bob'],
    [`project_id=${id}&scope=notes&search=note`, '/acme/web/-/issues/1#note_'],
    [`project_id=${id}&scope=blobs&search=stylesheet`, '/acme/web/-/blob/main/index.html#L'],
    [`project_id=${id}&scope=commits&search=styles`, '/acme/web/-/commit/'],
  ] as const) {
    const { status, text } = await visit(`/-/search?${query}`)
    if (status !== 200 || !text.includes(`href="${link}`)) links[query] = `${status}, without ${link}`
  }
  expect(links).toEqual({})
})

test('a commit shows its pipeline, its merge requests, and comments beside the changes', async () => {
  const { commit } = await forge.host.branches.get({ project, branch: 'cache-home' })
  await forge.host.pipelines.record({
    project,
    ref: 'cache-home',
    sha: commit.id,
    jobs: [{ name: 'test', stage: 'test', status: 'success' }],
  })
  const base = commit.parentIds[0] ?? ''
  const position = { baseSha: base, startSha: base, headSha: commit.id, newPath: 'cache.json', newLine: 1 }
  await forge.as('bob').discussions.create({ project, commit: commit.id, body: 'Why 300?', position })
  const page = await visit(`/acme/web/-/commit/${commit.id}`)
  expect(readDetails(page)).toMatchObject({ Lines: '1 added, 0 removed', Pipeline: expect.stringContaining('success') })
  expect(readSection(page, 'merge-requests')).toContain('Cache the home page')
  expect(readSection(page, 'changes')).toContain('Why 300?')
})

test('a board shows the issues of its lists, and an epic its issues', async () => {
  const { items } = await forge.host.boards.list({ project })
  const board = await visit(`/acme/web/-/boards/${items[0]?.id}`)
  expect(board.text).toContain('The home page is slow')
  const { id } = await forge.host.issues.get({ project, issue: 2 })
  await forge.as('alice').epicIssues.assign({ group: 'acme', epic: 1, issue: id })
  expect(readSection(await visit('/groups/acme/-/epics/1'), 'issues')).toContain('acme/web#2')
})
