import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const on = { project: 'acme/web', mergeRequest: 1 }
const approvals = (who: string) => forge.as(who).mergeRequestApprovals

test('developers approve, once, and take it back', async () => {
  expect(await approvals('bob').get(on)).toMatchObject({ approved: false, approvedBy: [], userCanApprove: true })
  expect(await approvals('alice').approve(on)).toMatchObject({
    iid: 1,
    approved: true,
    approvedBy: [{ user: { username: 'alice' } }],
    userHasApproved: true,
    userCanApprove: false,
  })
  expect(await approvals('bob').get(on)).toMatchObject({ approved: true, userHasApproved: false })
  await expect(approvals('alice').approve(on)).rejects.toMatchObject({ code: 'conflict' })
  expect(await approvals('alice').unapprove(on)).toMatchObject({ approved: false, userCanApprove: true })
  await expect(approvals('alice').unapprove(on)).rejects.toMatchObject({ code: 'conflict' })
})

test('nobody below developer approves, but whoever sees the merge request sees who did', async () => {
  await expect(approvals('carol').approve(on)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(forge.platform.mergeRequestApprovals.approve(on)).rejects.toMatchObject({ code: 'unauthenticated' })
  await forge.host.mergeRequestApprovals.approve({ ...on, user: 'bob' })
  expect(await approvals('mallory').get(on)).toMatchObject({
    approvedBy: [{ user: { username: 'bob' } }],
    userCanApprove: false,
  })
  await expect(approvals('alice').approve({ ...on, user: 'bob' })).rejects.toMatchObject({ code: 'forbidden' })
})

test('what is closed is not approved', async () => {
  await forge.as('alice').mergeRequests.close(on)
  await expect(approvals('alice').approve(on)).rejects.toMatchObject({ code: 'conflict' })
  expect((await approvals('alice').get(on)).userCanApprove).toBe(false)
})
