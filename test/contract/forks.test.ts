import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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

const web = '/projects/acme%2Fweb'

const commitTo = (project: string, content: string) =>
  forge.host.commits.import({
    project,
    commits: [
      {
        message: 'Change',
        author: { name: 'Alice', email: 'alice@example.com' },
        files: [{ path: 'README.md', content }],
      },
    ],
  })

describe('forks', () => {
  test('have the code of their source and refer to it', async () => {
    await commitTo('acme/web', 'Hello')
    const { body: fork } = await send(`POST ${web}/fork`, { as: 'bob' })
    expect(fork).toMatchObject({
      path_with_namespace: 'bob/web',
      import_status: 'finished',
      empty_repo: false,
      forked_from_project: { path_with_namespace: 'acme/web', web_url: `${forge.url}/acme/web` },
    })
    const { text } = await send('GET /projects/bob%2Fweb/repository/files/README.md/raw?ref=main', { as: 'bob' })
    expect(text).toBe('Hello')
    await commitTo('bob/web', 'Changed')
    const { text: original } = await send(`GET ${web}/repository/files/README.md/raw?ref=main`, { as: 'alice' })
    expect(original).toBe('Hello')
    expect((await send(`GET ${web}/forks`, { as: 'bob' })).body).toMatchObject([{ id: fork.id }])
    expect((await send(`GET ${web}`, { as: 'alice' })).body).toMatchObject({ forks_count: 1 })
  })

  test('of one branch have only this branch and its tags', async () => {
    await commitTo('acme/web', 'Hello')
    const create = (kind: string, json: object) => send(`POST ${web}/repository/${kind}`, { as: 'alice', json })
    await create('branches', { branch: 'stable', ref: 'main' })
    await create('tags', { tag_name: 'v1', ref: 'main' })
    await commitTo('acme/web', 'Newer')
    await create('tags', { tag_name: 'v2', ref: 'main' })
    const json = { branches: 'stable', mr_default_target_self: true }
    const { body: fork } = await send(`POST ${web}/fork`, { as: 'bob', json })
    expect(fork).toMatchObject({ default_branch: 'stable', mr_default_target_self: true, import_status: 'finished' })
    const names = async (kind: string) =>
      (await send(`GET /projects/${fork.id}/repository/${kind}`, { as: 'bob' })).body.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names('branches')).toEqual(['stable'])
    expect(await names('tags')).toEqual(['v1'])
    const { body: missing } = await send(`POST ${web}/fork`, {
      as: 'alice',
      json: { branches: 'none', namespace: 'acme', path: 'x' },
    })
    expect(missing).toMatchObject({ import_status: 'failed', import_error: 'The branch none does not exist' })
  })

  test('of an empty project are empty, and belong to any namespace', async () => {
    const json = { namespace_path: 'acme/tools', name: 'Copy', path: 'copy', description: 'Mine' }
    const { body } = await send(`POST ${web}/fork`, { as: 'alice', json })
    expect(body).toMatchObject({ path_with_namespace: 'acme/tools/copy', name: 'Copy', description: 'Mine' })
    expect(body).toMatchObject({ empty_repo: true, import_status: 'finished' })
    const again = await send(`POST ${web}/fork`, { as: 'alice', json: { ...json, namespace: 'acme/tools' } })
    expect(again).toMatchObject({ status: 409, body: { message: 'Path has already been taken' } })
    const missing = await send(`POST ${web}/fork`, { as: 'alice', json: { namespace_id: 'none' } })
    expect(missing).toMatchObject({ status: 404, body: { message: '404 Namespace Not Found' } })
  })

  test('are not created where forking is disabled', async () => {
    await send(`PUT ${web}`, { as: 'alice', json: { forking_access_level: 'disabled' } })
    const { status, body } = await send(`POST ${web}/fork`, { as: 'bob' })
    expect([status, body]).toEqual([403, { message: '403 Forbidden' }])
  })

  test('can be declared and released', async () => {
    const notes = '/projects/bob%2Fnotes'
    const { body } = await send(`POST ${notes}/fork/acme%2Fweb`, { as: 'bob' })
    expect(body).toMatchObject({ forked_from_project: { path_with_namespace: 'acme/web' } })
    expect((await send(`POST ${notes}/fork/acme%2Fweb`, { as: 'bob' })).status).toBe(409)
    expect((await send(`DELETE ${notes}/fork`, { as: 'bob' })).status).toBe(204)
    expect((await send(`DELETE ${notes}/fork`, { as: 'bob' })).status).toBe(404)
    expect((await send(`GET ${notes}`, { as: 'bob' })).body).not.toHaveProperty('forked_from_project')
  })
})

everyRouteCalled('forks')
