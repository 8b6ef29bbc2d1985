import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signIn, visitor } from '../pages/page-client.ts'
import { preparedWorld } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
let restore: () => Promise<void>
let mergeRequest: string

const project = 'acme/web'
const path = '/projects/acme%2Fweb'
const author = { name: 'Bob', email: 'bob@example.com' }
const owners = '* @alice\n[Docs] @bob\n/docs/\n!/docs/generated/\n^[Extra]\n*.md @@developer\n[Nobody]\n*.md @missing\n'

beforeAll(async () => {
  const prepared = await preparedWorld({}, async ({ host }) => {
    const changes = [
      { path: 'docs/a.md', content: 'a\n' },
      { path: 'docs/generated/b', content: 'b\n' },
    ]
    const commits = [
      { branch: 'main', message: 'Begin', author, files: [{ path: '.gitlab/CODEOWNERS', content: owners }] },
      { branch: 'topic', message: 'Change', author, parents: [0], files: changes },
    ]
    await host.commits.import({ project, commits })
    await host.protectedBranches.update({ project, name: 'main', codeOwnerApprovalRequired: true })
    const { iid } = await host.mergeRequests.create({ project, title: 'A', sourceBranch: 'topic', author: 'carol' })
    return iid
  })
  forge = prepared.forge
  restore = prepared.restore
  mergeRequest = `${path}/merge_requests/${prepared.prepared}`
  send = client(forge)
})
beforeEach(() => restore())
afterAll(() => forge.close())

interface Rule {
  readonly id: number
  readonly section: string
  readonly name: string
  readonly rule_type: string
  readonly approvals_required: number
  readonly approved: boolean
  readonly users: readonly { readonly username: string }[]
}

const readRules = async (): Promise<readonly Rule[]> =>
  (await send(`GET ${mergeRequest}/approval_state`, { as: 'alice' })).body.rules
const summarize = (rules: readonly Rule[]) =>
  rules.map(
    ({ section, name, approvals_required: required, approved, users }) =>
      `${section} ${name} ${required} ${approved} ${users.map(({ username }) => username).join(' ')}`,
  )
const mergeStatus = async () => (await send(`GET ${mergeRequest}`, { as: 'alice' })).body.detailed_merge_status

test('owners of changed files must approve where the branch requires it', async () => {
  const rules = await readRules()
  expect(rules).toMatchObject(rules.map(() => ({ rule_type: 'code_owner', code_owner: true })))
  expect(summarize(rules)).toEqual([
    'codeowners * 1 false alice',
    'Docs /docs/ 1 false bob',
    expect.stringMatching(/^Extra \*\.md 0 true /),
    'Nobody *.md 0 true ',
  ])
  expect(await mergeStatus()).toBe('not_approved')
  await send(`POST ${mergeRequest}/approve`, { as: 'alice' })
  expect(await mergeStatus()).toBe('not_approved')
  await send(`POST ${mergeRequest}/approve`, { as: 'bob' })
  expect(await mergeStatus()).toBe('mergeable')
})

test('approvals are optional where the branch does not require them', async () => {
  await send(`PATCH ${path}/protected_branches/main`, { as: 'alice', json: { code_owner_approval_required: false } })
  expect((await readRules()).map((rule) => rule.approvals_required)).toEqual([0, 0, 0, 0])
  expect(await mergeStatus()).toBe('mergeable')
})

test('rules follow the file and the changes, and cannot be changed', async () => {
  const [first] = await readRules()
  const rule = `${mergeRequest}/approval_rules/${first?.id}`
  expect((await send(`DELETE ${rule}`, { as: 'alice' })).status).toBe(403)
  expect((await send(`PUT ${rule}`, { as: 'alice', json: { approvals_required: 0 } })).status).toBe(403)
  const file = { branch: 'main', commit_message: 'Owners', content: '/docs/a.md @bob\n' }
  const written = await send(`PUT ${path}/repository/files/.gitlab%2FCODEOWNERS`, { as: 'alice', json: file })
  expect(written.status).toBe(200)
  await send(`GET ${mergeRequest}`, { as: 'alice' })
  expect(summarize(await readRules())).toEqual(['codeowners /docs/a.md 1 false bob'])
})

test('the pages of files, directories and merge requests show them', async () => {
  const visit = visitor(forge, await signIn(forge, 'alice'))
  const readOwners = async (address: string) => {
    const { text } = await visit(`/acme/web/-/${address}`)
    const [, found = ''] = text.split('<section aria-labelledby="code-owners">')
    const rows = found.split('</section>')[0]?.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs) ?? []
    return [...rows].map(([, name, owners = '']) => `${name}: ${owners.replace(/<[^>]+>/g, '').trim()}`)
  }
  expect(await readOwners('blob/topic/docs/a.md')).toEqual([
    'Default: @alice',
    'Docs: @bob',
    'Extra: @@developer',
    'Nobody: @missing',
  ])
  expect(await readOwners('blob/topic/docs/generated/b')).toEqual(['Default: @alice'])
  expect(await readOwners('tree/topic/docs')).toEqual(['Default: @alice', 'Docs: @bob'])
  const { text } = await visit(`/acme/web/-/merge_requests/${mergeRequest.split('/').at(-1)}`)
  expect(text).toContain('<li>Docs, /docs/: 0 of 1</li>')
  expect(text).toContain('<li>Extra, *.md: optional</li>')
})
