import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDemo } from '../support/open-demo.ts'
import { world } from '../world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'
import { newSshKey } from './ssh-keys.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: openDemo })
  send = client(forge)
  const files = [{ path: 'README.md', content: 'Hello' }]
  await forge.as('alice').commits.import({ project: 'acme/web', commits: [{ message: 'Begin', files }] })
})
afterEach(() => forge.close())

const web = '/projects/acme%2Fweb'
const branches = `${web}/protected_branches`
const tags = `${web}/protected_tags`
const level = (access_level: number, access_level_description: string) => ({
  id: expect.any(Number),
  access_level,
  access_level_description,
  user_id: null,
  group_id: null,
  deploy_key_id: null,
})

/** Alice owns the group, Bob is a developer. */
const protect = (json: object) => send(`POST ${branches}`, { as: 'alice', json })
const write = (branch: string, as = 'bob') => {
  const action = { action: 'update', file_path: 'README.md', content: `${branch} ${as}` }
  const start = branch === 'main' ? {} : { start_branch: 'main' }
  const json = { branch, commit_message: 'Change', actions: [action], ...start }
  return send(`POST ${web}/repository/commits`, { as, json })
}
const notAllowed = { status: 403, body: { message: '403 Forbidden' } }

describe('deploy keys in rules', () => {
  const addKey = async (title: string, can_push: boolean) => {
    const json = { title, key: newSshKey(title), can_push }
    return (await send(`POST ${web}/deploy_keys`, { as: 'alice', json })).body.id as number
  }

  test('may push to branches and create tags, and leave the rules with the project', async () => {
    const deploy_key_id = await addKey('robot', true)
    const grant = { ...level(40, 'robot'), deploy_key_id }
    const { body } = await protect({ name: 'release/*', push_access_level: 0, allowed_to_push: [{ deploy_key_id }] })
    expect(body.push_access_levels).toEqual([level(0, 'No one'), grant])
    const json = { allowed_to_push: [{ access_level: 30 }, { deploy_key_id }] }
    const changed = await send(`PATCH ${branches}/release%2F*`, { as: 'alice', json })
    expect(changed.body.push_access_levels).toEqual([level(30, 'Developers + Maintainers'), grant])
    const tag = { name: 'v*', allowed_to_create: [{ deploy_key_id }] }
    expect((await send(`POST ${tags}`, { as: 'alice', json: tag })).body.create_access_levels).toEqual([grant])
    await send(`DELETE ${web}/deploy_keys/${deploy_key_id}`, { as: 'alice' })
    const left = (await send(`GET ${branches}/release%2F*`, { as: 'alice' })).body
    expect(left.push_access_levels).toEqual([level(30, 'Developers + Maintainers')])
  })

  test('must be able to push to the project, and cannot merge', async () => {
    const reader = await addKey('reader', false)
    const rejected = { status: 422, body: { message: [expect.stringContaining('cannot push to the project')] } }
    expect(await protect({ name: 'a', allowed_to_push: [{ deploy_key_id: reader }] })).toMatchObject(rejected)
    expect(await protect({ name: 'a', allowed_to_push: [{ deploy_key_id: 999_999 }] })).toMatchObject(rejected)
    expect(await protect({ name: 'a', allowed_to_merge: [{ deploy_key_id: reader }] })).toMatchObject({ status: 422 })
    const both = [{ deploy_key_id: reader, access_level: 40 }]
    expect(await protect({ name: 'a', allowed_to_push: both })).toMatchObject({ status: 422 })
  })
})

describe('protected branches', () => {
  test('are listed, described, changed and removed', async () => {
    const { body } = await protect({
      name: 'release/*',
      push_access_level: 0,
      allowed_to_merge: [{ access_level: 30 }],
    })
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'release/*',
      push_access_levels: [level(0, 'No one')],
      merge_access_levels: [level(30, 'Developers + Maintainers')],
      unprotect_access_levels: [],
      allow_force_push: false,
      code_owner_approval_required: false,
      inherited: false,
    })
    expect((await send(`GET ${branches}/release%2F*`, { as: 'bob' })).body).toEqual(body)
    // The default branch is protected when it is pushed.
    const { body: all } = await send(`GET ${branches}`, { as: 'bob' })
    expect(all.map(({ name }: { name: string }) => name)).toEqual(['main', 'release/*'])
    expect((await send(`GET ${branches}?search=rel`, { as: 'bob' })).body).toEqual([body])
    const json = { allow_force_push: true, allowed_to_push: [{ user_id: (await forge.as('bob').users.get()).id }] }
    const changed = await send(`PATCH ${branches}/release%2F*`, { as: 'alice', json })
    expect(changed.body).toMatchObject({
      allow_force_push: true,
      push_access_levels: [
        { access_level: null, access_level_description: 'Bob Builder', user_id: expect.any(Number) },
      ],
      merge_access_levels: body.merge_access_levels,
    })
    expect((await send(`DELETE ${branches}/release%2F*`, { as: 'alice' })).status).toBe(204)
    expect((await send(`GET ${branches}/release%2F*`, { as: 'alice' })).status).toBe(404)
  })

  test('have unique names and possible grants', async () => {
    await protect({ name: 'x' })
    expect(await protect({ name: 'x' })).toMatchObject({
      status: 409,
      body: { message: "Protected branch 'x' already exists" },
    })
    expect((await protect({ name: ' ' })).status).toBe(400)
    expect((await protect({ name: 'y', push_access_level: 20 })).status).toBe(400)
    expect((await protect({ name: 'y', allowed_to_push: [{}] })).status).toBe(422)
    expect((await protect({ name: 'y', allowed_to_push: [{ user_id: 999 }] })).status).toBe(422)
    expect((await protect({ name: 'y', allowed_to_push: [{ group_id: 999 }] })).status).toBe(422)
    expect((await send(`PATCH ${branches}/x`, { as: 'alice', json: {} })).status).toBe(400)
  })

  test('do not reveal groups that the caller cannot see', async () => {
    const { id } = await forge.host.groups.create({ name: 'Hidden', path: 'hidden', visibility: 'private' })
    const grant = { allowed_to_push: [{ group_id: id }] }
    expect(await protect({ name: 'y', ...grant })).toMatchObject({
      status: 422,
      body: { message: [`Grants to push: group ${id} does not exist`] },
    })
    await forge.host.protectedBranches.create({ project: 'acme/web', name: 'z', allowedToPush: [{ groupId: id }] })
    expect(await send(`GET ${branches}/z`, { as: 'alice' })).toMatchObject({
      body: { push_access_levels: [{ group_id: id, access_level_description: 'Group' }] },
    })
  })

  test('decide who pushes, creates and deletes them', async () => {
    expect((await write('main')).status).toBe(201)
    await send(`DELETE ${branches}/main`, { as: 'alice' })
    await protect({ name: 'main' })
    expect(await write('main')).toMatchObject(notAllowed)
    expect((await write('main', 'alice')).status).toBe(201)
    await protect({ name: 'stable-*' })
    expect(await write('stable-1')).toMatchObject(notAllowed)
    expect((await write('stable-1', 'alice')).status).toBe(201)
    expect((await write('other')).status).toBe(201)
    const one = `${web}/repository/branches/stable-1`
    expect((await send(`GET ${one}`, { as: 'bob' })).body).toMatchObject({
      protected: true,
      can_push: false,
      developers_can_push: false,
    })
    expect(await send(`DELETE ${one}`, { as: 'bob' })).toMatchObject(notAllowed)
    await send(`DELETE ${web}/repository/merged_branches`, { as: 'alice' })
    expect((await send(`GET ${one}`, { as: 'bob' })).status).toBe(200)
    expect((await send(`DELETE ${one}`, { as: 'alice' })).status).toBe(204)
  })

  test('are created over the API by those who may merge, at a commit that was merged', async () => {
    await protect({ name: 'stable-*', push_access_level: 40, merge_access_level: 30 })
    const create = (branch: string, ref: string) =>
      send(`POST ${web}/repository/branches`, { as: 'bob', json: { branch, ref } })
    expect((await create('stable-1', 'main')).body).toMatchObject({ name: 'stable-1', can_push: false })
    await write('topic')
    expect(await create('stable-2', 'topic')).toMatchObject(notAllowed)
    await protect({ name: 'closed-*', merge_access_level: 40 })
    expect(await create('closed-1', 'main')).toMatchObject(notAllowed)
    const actions = [{ action: 'update', file_path: 'README.md', content: 'x' }]
    const json = { branch: 'stable-1', commit_message: 'x', actions }
    expect(await send(`POST ${web}/repository/commits`, { as: 'bob', json })).toMatchObject(notAllowed)
  })

  test('with several rules use the most permissive one', async () => {
    await protect({ name: 'hotfix-*', push_access_level: 0 })
    await protect({ name: '*-bob', allowed_to_push: [{ access_level: 30 }] })
    expect(await write('hotfix-1')).toMatchObject(notAllowed)
    expect((await write('hotfix-bob')).status).toBe(201)
  })

  test('decide who merges', async () => {
    await write('topic')
    await send(`DELETE ${branches}/main`, { as: 'alice' })
    await protect({ name: 'main', push_access_level: 40, merge_access_level: 40 })
    const json = { source_branch: 'topic', target_branch: 'main', title: 'Topic' }
    const { body } = await send(`POST ${web}/merge_requests`, { as: 'bob', json })
    await forge.platform.jobs.drain()
    const request = `${web}/merge_requests/${body.iid}`
    expect((await send(`GET ${request}`, { as: 'bob' })).body).toMatchObject({ user: { can_merge: false } })
    expect(await send(`PUT ${request}/merge`, { as: 'bob' })).toMatchObject(notAllowed)
    const opened = await send(`PATCH ${branches}/main`, {
      as: 'alice',
      json: { allowed_to_merge: [{ access_level: 30 }] },
    })
    expect(opened.body).toMatchObject({ merge_access_levels: [{ access_level: 30 }] })
    expect((await send(`GET ${request}`, { as: 'bob' })).body).toMatchObject({ user: { can_merge: true } })
    expect((await send(`PUT ${request}/merge`, { as: 'bob' })).body).toMatchObject({ state: 'merged' })
  })

  test('are protected and released by the older routes', async () => {
    await write('topic')
    const topic = `${web}/repository/branches/topic`
    const change = (action: string, json = {}, as = 'alice') => send(`PUT ${topic}/${action}`, { as, json })
    expect((await change('protect')).body).toMatchObject({
      name: 'topic',
      protected: true,
      developers_can_push: false,
      developers_can_merge: false,
    })
    const json = { branch: 'topic', commit_message: 'Change', content: 'x' }
    expect(await send(`PUT ${web}/repository/files/README.md`, { as: 'bob', json })).toMatchObject(notAllowed)
    expect((await change('protect', { developers_can_push: true })).body).toMatchObject({
      developers_can_push: true,
      developers_can_merge: false,
    })
    expect((await change('protect', { developers_can_merge: true })).body).toMatchObject({ developers_can_push: true })
    expect((await change('unprotect')).body).toMatchObject({ protected: false })
    expect((await change('unprotect')).status).toBe(200)
    await protect({ name: 'topic', unprotect_access_level: 60 })
    expect((await change('unprotect')).status).toBe(403)
    expect((await send(`PUT ${web}/repository/branches/none/protect`, { as: 'alice' })).status).toBe(404)
  })

  test('end as their grants say', async () => {
    await protect({ name: 'locked', unprotect_access_level: 60 })
    expect((await send(`DELETE ${branches}/locked`, { as: 'alice' })).status).toBe(403)
    expect((await send(`DELETE ${branches}/locked`, { as: 'root' })).status).toBe(204)
  })
})

test('protected tags are created only by users with a grant, and deleted by maintainers', async () => {
  const { body } = await send(`POST ${tags}`, { as: 'alice', json: { name: 'v*' } })
  expect(body).toEqual({ name: 'v*', create_access_levels: [level(40, 'Maintainers')] })
  expect((await send(`POST ${tags}`, { as: 'alice', json: { name: 'v*' } })).status).toBe(409)
  expect((await send(`GET ${tags}`, { as: 'bob' })).body).toEqual([body])
  expect((await send(`GET ${tags}/v*`, { as: 'bob' })).body).toEqual(body)
  const create = (tag_name: string, as: string) =>
    send(`POST ${web}/repository/tags`, { as, json: { tag_name, ref: 'main' } })
  expect(await create('v1', 'bob')).toMatchObject(notAllowed)
  expect((await create('v1', 'alice')).body).toMatchObject({ name: 'v1', protected: true })
  expect((await create('nightly', 'bob')).body).toMatchObject({ name: 'nightly', protected: false })
  expect(await send(`DELETE ${web}/repository/tags/v1`, { as: 'bob' })).toMatchObject(notAllowed)
  expect((await send(`DELETE ${web}/repository/tags/v1`, { as: 'alice' })).status).toBe(204)
  expect((await send(`DELETE ${tags}/v*`, { as: 'alice' })).status).toBe(204)
  expect((await send(`DELETE ${tags}/v*`, { as: 'alice' })).status).toBe(404)
})

test('rules of a group apply to its projects, which cannot override them', async () => {
  const path = '/groups/acme/protected_branches'
  const create = (json: object, as = 'alice') => send(`POST ${path}`, { as, json })
  const rule = { name: 'main', push_access_level: 0, merge_access_level: 0 }
  expect((await create(rule, 'bob')).status).toBe(403)
  const { status, body } = await create(rule)
  expect({ status, body }).toMatchObject({ status: 201, body: { name: 'main', inherited: false } })
  expect((await create(rule)).status).toBe(409)
  expect((await send(`GET ${path}`, { as: 'alice' })).body).toEqual([body])
  expect((await send(`GET ${path}/main`, { as: 'alice' })).body).toEqual(body)

  const { body: all } = await send(`GET ${branches}`, { as: 'alice' })
  expect(all.filter(({ inherited }: { inherited: boolean }) => inherited)).toEqual([{ ...body, inherited: true }])
  expect((await send('GET /projects/acme%2Ftools%2Fdeploy/protected_branches/main', { as: 'alice' })).body).toEqual({
    ...body,
    inherited: true,
  })
  expect((await send('GET /projects/bob%2Fnotes/protected_branches', { as: 'bob' })).body).toEqual([])

  // The rule of the project permits more.
  await send(`PATCH ${branches}/main`, { as: 'alice', json: { allowed_to_push: [{ access_level: 30 }] } })
  expect(await write('main')).toMatchObject(notAllowed)
  await send(`PATCH ${path}/main`, { as: 'alice', json: { allowed_to_push: [{ access_level: 30 }] } })
  expect((await write('main')).status).toBe(201)
  expect((await send(`DELETE ${branches}/main`, { as: 'alice' })).status).toBe(204)
  expect((await send(`DELETE ${branches}/main`, { as: 'alice' })).status).toBe(404)
  expect((await send(`DELETE ${path}/main`, { as: 'alice' })).status).toBe(204)
  expect((await send(`GET ${path}/main`, { as: 'alice' })).status).toBe(404)
})

everyRouteCalled('protected branches', 'protected tags')
