import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const project = 'acme/web'
const base = '/projects/acme%2Fweb'
const mergeRequest = `${base}/merge_requests/1`
const findId = async (user: string) => (await forge.host.users.get({ user })).id

test('a rule of a project is created, listed, changed and removed', async () => {
  const group = (await forge.host.groups.get({ group: 'acme' })).id
  const json = { name: 'Review', approvals_required: 1, user_ids: [await findId('bob')], group_ids: [group] }
  const { status, body } = await send(`POST ${base}/approval_rules`, { as: 'alice', json })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    id: expect.any(Number),
    name: 'Review',
    rule_type: 'regular',
    report_type: null,
    eligible_approvers: expect.arrayContaining([expect.objectContaining({ username: 'alice' })]),
    approvals_required: 1,
    users: [{ username: 'bob', web_url: `${forge.url}/bob` }],
    groups: [{ full_path: 'acme' }],
    contains_hidden_groups: false,
    applies_to_all_protected_branches: false,
    protected_branches: [],
  })
  const one = `${base}/approval_rules/${body.id}`
  expect((await send(`GET ${base}/approval_rules`, { as: 'bob' })).body).toEqual([body])
  expect((await send(`GET ${one}`, { as: 'bob' })).body).toEqual(body)
  const change = { approvals_required: 2, group_ids: [], applies_to_all_protected_branches: true }
  expect(await send(`PUT ${one}`, { as: 'alice', json: change })).toMatchObject({
    status: 200,
    body: { approvals_required: 2, groups: [], users: [{ username: 'bob' }], applies_to_all_protected_branches: true },
  })
  expect((await send(`DELETE ${one}`, { as: 'alice' })).status).toBe(204)
  expect((await send(`GET ${one}`, { as: 'alice' })).status).toBe(404)
  const invalid = { name: 'Other', approvals_required: 1, usernames: ['nobody'] }
  expect((await send(`POST ${base}/approval_rules`, { as: 'alice', json: invalid })).status).toBe(400)
  expect((await send(`POST ${base}/approval_rules`, { as: 'alice', json: { name: 'Other' } })).status).toBe(400)
})

test('the settings of a project are read and changed', async () => {
  const settings = {
    approvals_before_merge: 0,
    reset_approvals_on_push: false,
    selective_code_owner_removals: false,
    disable_overriding_approvers_per_merge_request: false,
    merge_requests_author_approval: true,
    merge_requests_disable_committers_approval: false,
    require_password_to_approve: false,
  }
  expect((await send(`GET ${base}/approvals`, { as: 'alice' })).body).toEqual(settings)
  const json = { approvals_before_merge: 2, merge_requests_author_approval: false }
  expect(await send(`POST ${base}/approvals`, { as: 'alice', json })).toMatchObject({
    status: 201,
    body: { ...settings, ...json },
  })
  expect((await send(`GET ${mergeRequest}/approvals`)).body).toMatchObject({ approvals_required: 2, approvals_left: 2 })
})

test('users with commits in a merge request cannot approve it where the project forbids it', async () => {
  const project = 'acme/web'
  const commit = { branch: 'main', message: 'Begin', files: [{ path: 'a', content: 'a' }] }
  const author = { name: 'Bob', email: 'BOB@example.com' }
  const [begin] = (await forge.host.commits.import({ project, commits: [{ ...commit, author }] })).ids
  const change = { ...commit, branch: 'fix', author, parents: [begin as string], files: [{ path: 'b', content: 'b' }] }
  await forge.host.commits.import({ project, commits: [change] })
  const fix = { project, author: 'alice', title: 'Fix', sourceBranch: 'fix', targetBranch: 'main' }
  const { iid } = await forge.host.mergeRequests.create(fix)
  const path = `${base}/merge_requests/${iid}`
  const json = { merge_requests_disable_committers_approval: true }
  expect((await send(`POST ${base}/approvals`, { as: 'alice', json })).body).toMatchObject(json)
  expect((await send(`POST ${path}/approve`, { as: 'bob' })).status).toBe(403)
  expect((await send(`POST ${path}/approve`, { as: 'alice' })).status).toBe(201)
  await send(`POST ${base}/approvals`, { as: 'alice', json: { merge_requests_disable_committers_approval: false } })
  expect((await send(`POST ${path}/approve`, { as: 'bob' })).status).toBe(201)
})

test('approvals require the password where the project says so', async () => {
  await forge.host.passwords.set({ user: 'alice', password: 'correct horse' })
  const json = { require_password_to_approve: true }
  expect((await send(`POST ${base}/approvals`, { as: 'alice', json })).body).toMatchObject(json)
  expect((await send(`GET ${mergeRequest}/approvals`)).body).toMatchObject(json)
  const approve = (as: string, approval_password?: string) =>
    send(`POST ${mergeRequest}/approve`, { as, ...(approval_password && { json: { approval_password } }) })
  expect((await approve('alice')).status).toBe(401)
  expect((await approve('alice', 'wrong horse')).status).toBe(401)
  expect((await approve('bob', 'correct horse')).status).toBe(401)
  const { status, body } = await approve('alice', 'correct horse')
  expect(status).toBe(201)
  expect(body).toMatchObject({ user_has_approved: true, merge_status: 'can_be_merged' })
})

test('a merge request has rules of its own, and cannot be merged until they are met', async () => {
  const rule = { name: 'Owners', approvals_required: 1, usernames: ['alice'] }
  const source = (await send(`POST ${base}/approval_rules`, { as: 'alice', json: rule })).body
  const rules = `${mergeRequest}/approval_rules`
  const json = { name: 'x', approvals_required: 2, approval_project_rule_id: source.id }
  const { status, body } = await send(`POST ${rules}`, { as: 'bob', json })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'Owners',
    source_rule: { id: source.id, approvals_required: 1 },
    overridden: true,
    users: [{ username: 'alice' }],
  })
  const one = `${rules}/${body.id}`
  expect((await send(`GET ${rules}`, { as: 'bob' })).body).toEqual([body])
  expect((await send(`GET ${one}`, { as: 'bob' })).body).toEqual(body)
  const less = await send(`PUT ${one}`, { as: 'bob', json: { approvals_required: 0 } })
  expect(less).toMatchObject({ status: 400 })
  const changed = await send(`PUT ${one}`, { as: 'bob', json: { approvals_required: 1 } })
  expect(changed.body).toMatchObject({ approvals_required: 1, overridden: false })
  expect((await send(`GET ${mergeRequest}/approval_state`, { as: 'bob' })).body).toMatchObject({
    approval_rules_overwritten: true,
    rules: [{ id: body.id, name: 'Owners', approved: false, approved_by: [], code_owner: false }],
  })
  expect((await send(`GET ${mergeRequest}`)).body).toMatchObject({ detailed_merge_status: 'not_approved' })
  expect((await send(`PUT ${mergeRequest}/merge`, { as: 'alice' })).status).toBe(405)
  expect((await send(`POST ${mergeRequest}/approve`, { as: 'alice' })).body).toMatchObject({
    approved: true,
    approvals_left: 0,
    approval_rules_left: [],
    has_approval_rules: true,
  })
  expect((await send(`DELETE ${one}`, { as: 'bob' })).status).toBe(204)
  const required = await send(`POST ${mergeRequest}/approvals`, { as: 'bob', json: { approvals_required: 3 } })
  expect(required).toMatchObject({
    status: 201,
    body: { approvals_required: 4, approvals_left: 2, approval_rules_left: [{ name: 'All Members' }] },
  })
  await send(`POST ${mergeRequest}/unapprove`, { as: 'alice' })
})

test('merge requests require more approvals than their project, where it permits that', async () => {
  const require = async (approvals_before_merge: number) => {
    await send(`PUT ${mergeRequest}`, { as: 'bob', json: { approvals_before_merge } })
    return (await send(`GET ${mergeRequest}/approvals`, { as: 'bob' })).body.approvals_required
  }
  expect(await require(3)).toBe(3)
  expect(await require(2)).toBe(2)
  await send(`POST ${base}/approvals`, { as: 'alice', json: { approvals_before_merge: 2 } })
  expect(await require(1)).toBe(2)
  await send(`POST ${base}/approvals`, { as: 'alice', json: { disable_overriding_approvers_per_merge_request: true } })
  expect(await require(5)).toBe(2)
  const json = { title: 'New', source_branch: 'other', target_branch: 'main' }
  await forge.host.projects.update({ project, settings: { disableOverridingApproversPerMergeRequest: false } })
  const created = await send(`POST ${base}/merge_requests`, { as: 'bob', json: { ...json, approvals_before_merge: 4 } })
  const { body } = await send(`GET ${base}/merge_requests/${created.body.iid}/approvals`, { as: 'bob' })
  expect(body).toMatchObject({ approvals_required: 4, approval_rules_left: [{ name: 'All Members' }] })
})

test('bots reset approvals', async () => {
  await send(`POST ${mergeRequest}/approve`, { as: 'alice' })
  expect((await send(`PUT ${mergeRequest}/reset_approvals`, { as: 'alice' })).status).toBe(403)
  const scopes = ['api'] as const
  const { secret } = await forge.host.accessTokens.create({
    project,
    name: 'bot',
    scopes: [...scopes],
    accessLevel: 30,
    expiresAt: '2027-01-01',
  })
  const headers = { 'private-token': secret }
  expect(await send(`PUT ${mergeRequest}/reset_approvals`, { headers })).toMatchObject({
    status: 202,
    body: { message: '202 Accepted' },
  })
  expect((await send(`GET ${mergeRequest}/approvals`)).body).toMatchObject({ approved_by: [] })
})

everyRouteCalled('approval rules', 'merge request approvals')
