import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const ref = { project: 'acme/web', mergeRequest: 1 }
const approvals = (username: string) => forge.as(username).mergeRequestApprovals

test('developers can approve once and withdraw the approval', async () => {
  expect(await approvals('bob').get(ref)).toMatchObject({ approved: false, approvedBy: [], userCanApprove: true })
  expect(await approvals('alice').approve(ref)).toMatchObject({
    iid: 1,
    approved: true,
    approvedBy: [{ user: { username: 'alice' } }],
    userHasApproved: true,
    userCanApprove: false,
  })
  expect(await approvals('bob').get(ref)).toMatchObject({ approved: true, userHasApproved: false })
  await expect(approvals('alice').approve(ref)).rejects.toMatchObject({ code: 'conflict' })
  expect(await approvals('alice').unapprove(ref)).toMatchObject({ approved: false, userCanApprove: true })
  await expect(approvals('alice').unapprove(ref)).rejects.toMatchObject({ code: 'conflict' })
})

test('requires the developer role to approve, but shows approvals to every viewer', async () => {
  await expect(approvals('carol').approve(ref)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(forge.platform.mergeRequestApprovals.approve(ref)).rejects.toMatchObject({ code: 'unauthenticated' })
  await forge.host.mergeRequestApprovals.approve({ ...ref, user: 'bob' })
  expect(await approvals('mallory').get(ref)).toMatchObject({
    approvedBy: [{ user: { username: 'bob' } }],
    userCanApprove: false,
  })
  await expect(approvals('alice').approve({ ...ref, user: 'bob' })).rejects.toMatchObject({ code: 'forbidden' })
})

test('rejects the approval of a closed merge request', async () => {
  await forge.as('alice').mergeRequests.update({ ...ref, stateEvent: 'close' })
  await expect(approvals('alice').approve(ref)).rejects.toMatchObject({ code: 'conflict' })
  expect((await approvals('alice').get(ref)).userCanApprove).toBe(false)
})
