import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../world.ts'
import { client, type Send } from './client.ts'

let forge: FakeForge
let send: Send
beforeEach(async () => {
  forge = await world()
  send = client(forge)
  await forge.host.mergeRequests.update({ project: 'acme/web', mergeRequest: 1, reviewers: ['bob'] })
})
afterEach(() => forge.close())

const mergeRequest = '/projects/acme%2Fweb/merge_requests/1'
const drafts = `${mergeRequest}/draft_notes`

const states = async () =>
  (await send(`GET ${mergeRequest}/reviewers`, { as: 'alice' })).body.map(
    ({ user, state }: { user: { username: string }; state: string }) => `${user.username} ${state}`,
  )
const mergeStatus = async () => (await send(`GET ${mergeRequest}`, { as: 'alice' })).body.detailed_merge_status
const comment = (body: string, as: string) => send(`POST ${mergeRequest}/notes`, { as, json: { body } })

test('a review starts with a draft note, and ends when it is published', async () => {
  expect(await states()).toEqual(['bob unreviewed'])
  const { body } = await send(`POST ${drafts}`, { as: 'bob', json: { note: 'Why?' } })
  expect(await states()).toEqual(['bob review_started'])
  await send(`DELETE ${drafts}/${body.id}`, { as: 'bob' })
  expect(await states()).toEqual(['bob unreviewed'])
  await send(`POST ${drafts}`, { as: 'bob', json: { note: 'Why?' } })
  expect((await send(`POST ${drafts}/bulk_publish`, { as: 'bob' })).status).toBe(204)
  expect(await states()).toEqual(['bob reviewed'])
})

test('requested changes prevent the merge until the reviewer approves', async () => {
  await send(`POST ${drafts}`, { as: 'bob', json: { note: 'Why?' } })
  const json = { note: 'Please test it', reviewer_state: 'requested_changes' }
  expect((await send(`POST ${drafts}/bulk_publish`, { as: 'bob', json })).status).toBe(204)
  expect(await states()).toEqual(['bob requested_changes'])
  const { body: notes } = await send(`GET ${mergeRequest}/notes?per_page=3`)
  expect(notes.map(({ body }: { body: string }) => body)).toEqual(['requested changes', 'Please test it', 'Why?'])
  expect(await mergeStatus()).toBe('requested_changes')
  expect((await send(`PUT ${mergeRequest}/merge`, { as: 'alice' })).status).toBe(405)
  expect((await send(`POST ${mergeRequest}/approve`, { as: 'bob' })).status).toBe(201)
  expect(await states()).toEqual(['bob approved'])
  expect(await mergeStatus()).not.toBe('requested_changes')
})

test('who requests changes withdraws an approval, and becomes a reviewer', async () => {
  await send(`POST ${mergeRequest}/approve`, { as: 'bob' })
  await comment('/request_changes', 'bob')
  expect((await send(`GET ${mergeRequest}/approvals`, { as: 'bob' })).body.approved_by).toEqual([])
  await comment('/request_changes', 'alice')
  expect(await states()).toEqual(['alice requested_changes', 'bob requested_changes'])
  expect((await comment('/request_changes', 'mallory')).body.summary).toEqual([
    'Could not apply request_changes command.',
  ])
})

test('another request for a review resets it', async () => {
  await comment('/request_changes', 'bob')
  await comment('/request_review @bob', 'alice')
  expect(await states()).toEqual(['bob unreviewed'])
  expect(await mergeStatus()).not.toBe('requested_changes')
  const { body: notes } = await send(`GET ${mergeRequest}/notes?per_page=1`)
  expect(notes).toMatchObject([{ body: 'requested review from @bob', author: { username: 'alice' } }])
  const { body: todos } = await send('GET /todos?action=review_requested', { as: 'bob' })
  expect(todos).toMatchObject([{ state: 'pending', target: { iid: 1 } }])
})

test('a withdrawn approval is shown', async () => {
  await send(`POST ${mergeRequest}/approve`, { as: 'bob' })
  await send(`POST ${mergeRequest}/unapprove`, { as: 'bob' })
  expect(await states()).toEqual(['bob unapproved'])
})

test('invalid results of reviews are rejected', async () => {
  const publish = async (json: object) => (await send(`POST ${drafts}/bulk_publish`, { as: 'bob', json })).status
  expect(await publish({ reviewer_state: 'approved' })).toBe(400)
  expect(await publish({ note: ' ' })).toBe(400)
  expect(await publish({ note: 'Internal', internal: true })).toBe(204)
})
