import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { everyRouteCalled } from './called-routes.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world({ seed: demoWithCode })
  send = client(forge)
})
afterEach(() => forge.close())

const web = '/projects/acme%2Fweb'
const owners = [
  { kind: 'projects', base: web },
  { kind: 'groups', base: '/groups/acme' },
]

describe.each(owners)('the push rule of $kind', ({ kind, base }) => {
  const rule = `${base}/push_rule`

  test('is created, changed and removed', async () => {
    // Clients distinguish the two: a project without a rule has the rule null.
    const missing = kind === 'projects' ? { status: 200, body: null } : { status: 404 }
    expect(await send(`GET ${rule}`, { as: 'alice' })).toMatchObject(missing)
    expect((await send(`PUT ${rule}`, { as: 'alice', json: {} })).status).toBe(404)
    const json = { commit_message_regex: '#[0-9]+', deny_delete_tag: true, max_file_size: 5 }
    const { status, body } = await send(`POST ${rule}`, { as: 'alice', json })
    expect(status).toBe(201)
    const { body: project } = await send(`GET ${web}`)
    expect(body).toEqual({
      id: expect.any(Number),
      ...(kind === 'projects' && { project_id: project.id }),
      created_at: expect.any(String),
      commit_message_regex: '#[0-9]+',
      commit_message_negative_regex: '',
      branch_name_regex: '',
      author_email_regex: '',
      file_name_regex: '',
      max_file_size: 5,
      deny_delete_tag: true,
      member_check: false,
      prevent_secrets: false,
      commit_committer_check: false,
      commit_committer_name_check: false,
      reject_unsigned_commits: false,
      reject_non_dco_commits: false,
    })
    expect((await send(`GET ${rule}`, { as: 'alice' })).body).toEqual(body)
    expect((await send(`POST ${rule}`, { as: 'alice', json })).status).toBe(422)
    const change = { commit_message_regex: null, member_check: true }
    const changed = await send(`PUT ${rule}`, { as: 'alice', json: change })
    expect(changed.body).toEqual({ ...body, commit_message_regex: '', member_check: true })
    expect((await send(`DELETE ${rule}`, { as: 'alice' })).status).toBe(204)
    expect((await send(`DELETE ${rule}`, { as: 'alice' })).status).toBe(404)
  })

  test('has valid patterns and no rules that are not enforced', async () => {
    const wrong = [
      { branch_name_regex: '(' },
      { commit_message_regex: '(?=x)' },
      { file_name_regex: 'x'.repeat(1_021) },
      { author_email_regex: '(a{500}){500}' },
      { max_file_size: -1 },
      { reject_unsigned_commits: true },
    ]
    for (const json of wrong) expect((await send(`POST ${rule}`, { as: 'alice', json })).status).toBe(400)
    const { body } = await send(`POST ${rule}`, { as: 'alice', json: { reject_unsigned_commits: true } })
    expect(body).toEqual({
      error: 'reject_unsigned_commits is not supported: pushes of unsigned commits are not rejected',
    })
    const off = await send(`POST ${rule}`, { as: 'alice', json: { reject_unsigned_commits: false } })
    expect(off.status).toBe(201)
  })
})

test('commits, branches and tags over HTTP comply with the rule', async () => {
  await send(`POST ${web}/push_rule`, {
    as: 'alice',
    json: {
      commit_message_regex: '#[0-9]+',
      branch_name_regex: '^fix/',
      file_name_regex: '\\.exe$',
      deny_delete_tag: true,
    },
  })
  const commit = (message: string, file = 'a.txt') =>
    send(`POST ${web}/repository/commits`, {
      as: 'alice',
      json: { branch: 'main', commit_message: message, actions: [{ action: 'create', file_path: file, content: 'x' }] },
    })
  expect(await commit('Add a file')).toMatchObject({
    status: 400,
    body: { message: "Commit message does not follow the pattern '#[0-9]+'" },
  })
  expect(await commit('Add a file #1', 'a.exe')).toMatchObject({
    status: 400,
    body: { message: "File name a.exe was prohibited by the pattern '\\.exe$'" },
  })
  expect((await commit('Add a file #1')).status).toBe(201)
  const branch = (name: string) =>
    send(`POST ${web}/repository/branches`, { as: 'alice', json: { branch: name, ref: 'main' } })
  expect(await branch('feature')).toMatchObject({
    status: 400,
    body: { message: "Branch name 'feature' does not follow the pattern '^fix/'" },
  })
  expect((await branch('fix/1')).status).toBe(201)
  await send(`POST ${web}/repository/tags`, { as: 'alice', json: { tag_name: 'v9', ref: 'main' } })
  expect(await send(`DELETE ${web}/repository/tags/v9`, { as: 'alice' })).toMatchObject({
    status: 400,
    body: { message: 'You cannot delete a tag' },
  })
})

everyRouteCalled('push rules')
