import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

/** Which rule the first branch of a project gets, and who may push the first branch. Alice owns the group, Bob is a developer. */

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
})
afterEach(() => forge.close())

const project = 'acme/web'
const routes = `/projects/acme%2Fweb`

const commit = (as: string, content: string, action: 'create' | 'update' = 'update', branch = 'main') =>
  send(`POST ${routes}/repository/commits`, {
    as,
    json: { branch, commit_message: 'Change', actions: [{ action, file_path: 'README.md', content }] },
  })

/** Push levels, merge levels and forced pushes of the rules of a project. */
const rulesOf = async (path = project) => {
  const { items } = await forge.host.protectedBranches.list({ project: path })
  return items.map(({ name, pushAccessLevels, mergeAccessLevels, allowForcePush }) => ({
    name,
    push: pushAccessLevels.map(({ accessLevel }) => accessLevel),
    merge: mergeAccessLevels.map(({ accessLevel }) => accessLevel),
    allowForcePush,
  }))
}

const setInstance = (level: number) =>
  send('PUT /application/settings', { as: 'root', json: { default_branch_protection: level } })
const setGroup = (level: number, group = 'acme') =>
  send(`PUT /groups/${encodeURIComponent(group)}`, { as: 'alice', json: { default_branch_protection: level } })

const ruleOf = (push: number, merge: number) => [{ name: 'main', push: [push], merge: [merge], allowForcePush: false }]

const levels = [
  { level: 0, rules: [], first: 201, later: 201 },
  { level: 1, rules: ruleOf(30, 30), first: 201, later: 201 },
  { level: 2, rules: ruleOf(40, 40), first: 403, later: 403 },
  { level: 3, rules: ruleOf(40, 30), first: 403, later: 403 },
  { level: 4, rules: ruleOf(40, 40), first: 201, later: 403 },
]

describe.each([
  ['instance', setInstance],
  ['group', setGroup],
])('default_branch_protection of the %s', (_, set) => {
  test.each(levels)('$level decides the rule and the first push', async ({ level, rules, first, later }) => {
    expect((await set(level)).status).toBe(200)
    expect((await commit('bob', 'first', 'create')).status).toBe(first)
    if (first === 403) {
      expect((await commit('bob', 'first', 'create', 'topic')).status).toBe(403)
      expect((await commit('alice', 'first', 'create')).status).toBe(201)
    }
    expect(await rulesOf()).toEqual(rules)
    expect((await commit('bob', 'later')).status).toBe(later)
    const force = { branch: 'main', start_sha: (await forge.host.repository.get({ project })).head, force: true }
    const actions = [{ action: 'update', file_path: 'README.md', content: 'forced' }]
    await commit('alice', 'ahead')
    const json = { ...force, commit_message: 'Replace', actions }
    const replaced = await send(`POST ${routes}/repository/commits`, { as: 'bob', json })
    expect(replaced.status).toBe(level === 0 ? 201 : 403)
  })
})

test('the default protects from developers', async () => {
  expect((await commit('alice', 'first', 'create')).status).toBe(201)
  expect(await rulesOf()).toEqual(ruleOf(40, 40))
  expect((await commit('bob', 'later')).status).toBe(403)
})

test('the value of a group takes precedence over that of the instance, for its own projects', async () => {
  await setInstance(1)
  await setGroup(3)
  await commit('alice', 'first', 'create')
  expect(await rulesOf()).toEqual(ruleOf(40, 30))
  const path = 'acme/tools/deploy'
  const files = [{ path: 'a.txt', content: 'a' }]
  await forge.as('alice').commits.import({ project: path, commits: [{ message: 'Begin', files }] })
  expect(await rulesOf(path)).toEqual(ruleOf(30, 30))
})

describe('default_branch_protection_defaults', () => {
  const set = (defaults: object) =>
    send('PUT /groups/acme', { as: 'alice', json: { default_branch_protection_defaults: defaults } })

  test('decides the rule of the first branch', async () => {
    const defaults = {
      allowed_to_push: [{ access_level: 0 }],
      allowed_to_merge: [{ access_level: 30 }],
      allow_force_push: true,
      code_owner_approval_required: true,
      developer_can_initial_push: true,
    }
    expect((await set(defaults)).body).toMatchObject({ default_branch_protection_defaults: defaults })
    expect((await commit('bob', 'first', 'create')).status).toBe(201)
    expect(await rulesOf()).toEqual([{ name: 'main', push: [0], merge: [30], allowForcePush: true }])
    expect((await commit('alice', 'later')).status).toBe(403)
  })

  test('changes only the fields it contains, and a new level resets them', async () => {
    const expected = (push: number, merge: number, force: boolean) => ({
      default_branch_protection_defaults: {
        allowed_to_push: [{ access_level: push }],
        allowed_to_merge: [{ access_level: merge }],
        allow_force_push: force,
      },
    })
    expect((await set({ allowed_to_merge: [{ access_level: 30 }] })).body).toMatchObject(expected(40, 30, false))
    expect((await set({ allow_force_push: true })).body).toMatchObject(expected(40, 30, true))
    expect((await setGroup(2)).body).toMatchObject(expected(40, 40, false))
    expect((await setGroup(0)).body).toMatchObject(expected(30, 30, true))
  })

  test('form fields are read, and what protects nothing creates no rule', async () => {
    const form = { 'default_branch_protection_defaults[allowed_to_push][][access_level]': '30' }
    expect((await send('PUT /groups/acme', { as: 'alice', form })).status).toBe(200)
    await set({ allowed_to_merge: [{ access_level: 30 }], allow_force_push: true })
    expect((await commit('bob', 'first', 'create')).status).toBe(201)
    expect(await rulesOf()).toEqual([])
  })

  test.each([{ allowed_to_push: [{ access_level: 20 }] }, { allowed_to_push: [] }])('refuses %j', async (defaults) =>
    expect((await set(defaults)).status).toBe(400),
  )
})

test('other values are rejected', async () => {
  expect((await setInstance(5)).status).toBe(400)
  expect((await setGroup(-1)).status).toBe(400)
})

test('a rule that covers the branch is kept', async () => {
  await forge.host.protectedBranches.create({ project, name: 'ma*', pushAccessLevel: 30 })
  expect((await commit('bob', 'first', 'create')).status).toBe(201)
  expect((await rulesOf()).map(({ name }) => name)).toEqual(['ma*'])
})

describe('every way to a first branch creates the rule:', () => {
  test('a README at the creation, also by a developer', async () => {
    await forge.host.groups.update({ group: 'acme', projectCreationLevel: 'developer' })
    const namespace_id = (await forge.host.groups.get({ group: 'acme' })).id
    const json = { name: 'Started', path: 'started', namespace_id, initialize_with_readme: true }
    const { status, body } = await send('POST /projects', { as: 'bob', json })
    expect(status).toBe(201)
    expect(body).toMatchObject({ empty_repo: false })
    expect(await rulesOf('acme/started')).toEqual(ruleOf(40, 40))
  })

  test('a fork', async () => {
    await commit('alice', 'first', 'create')
    await setInstance(3)
    await send(`POST ${routes}/fork`, { as: 'carol' })
    await forge.platform.jobs.drain()
    expect(await rulesOf('carol/web')).toEqual(ruleOf(40, 30))
  })

  test('seed data and makers', async () => {
    const commits = [{ author: 'alice', message: 'Begin', files: { 'a.txt': 'a' } }]
    await forge.seed({ projects: [{ path: 'acme/seeded', repository: { commits } }] })
    expect(await rulesOf('acme/seeded')).toEqual(ruleOf(40, 40))
    await forge.seed({
      groups: [{ path: 'open', settings: { defaultBranchProtection: 1 } }],
      projects: [{ path: 'open/seeded', repository: { commits } }],
    })
    expect(await rulesOf('open/seeded')).toEqual(ruleOf(30, 30))
  })
})
