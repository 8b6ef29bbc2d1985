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
