import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

test('labels, milestones and states of issues are recorded', async () => {
  const { issues, milestones, resourceEvents } = forge.as('alice')
  const first = await milestones.create({ project, title: 'First' })
  const second = await milestones.create({ project, title: 'Second' })
  const { iid: issue } = await issues.create({ project, title: 'x', labels: ['bug'], milestone: first.id })
  await forge.as('bob').issues.update({ project, issue, addLabels: ['feature'], removeLabels: ['bug'] })
  await issues.update({ project, issue, milestone: second.id, title: 'y' })
  await issues.update({ project, issue, stateEvent: 'close' })
  await issues.update({ project, issue, stateEvent: 'reopen' })
  const labels = (await resourceEvents.listLabelEvents({ project, issue })).items
  expect(labels).toMatchObject([
    { action: 'add', label: { name: 'bug' }, user: { username: 'alice' }, resourceType: 'Issue' },
    { action: 'remove', label: { name: 'bug' }, user: { username: 'bob' } },
    { action: 'add', label: { name: 'feature' }, user: { username: 'bob' } },
  ])
  const event = labels[1]?.id as number
  expect(await resourceEvents.getLabelEvent({ project, issue, event })).toEqual(labels[1])
  await expect(resourceEvents.getStateEvent({ project, issue, event })).rejects.toMatchObject({ code: 'not_found' })
  await expect(resourceEvents.getLabelEvent({ project, issue: 1, event })).rejects.toMatchObject({ code: 'not_found' })
  expect((await resourceEvents.listMilestoneEvents({ project, issue })).items).toMatchObject([
    { action: 'add', milestone: { title: 'First' } },
    { action: 'remove', milestone: { title: 'First' } },
    { action: 'add', milestone: { title: 'Second' } },
  ])
  expect((await resourceEvents.listStateEvents({ project, issue })).items).toMatchObject([
    { state: 'closed', user: { username: 'alice' } },
    { state: 'reopened' },
  ])
})

test('merge requests have the same events; a change by the host has no user', async () => {
  const ref = { project, mergeRequest: 1 }
  const { resourceEvents } = forge.as('alice')
  const count = (await resourceEvents.listLabelEvents(ref)).items.length
  await forge.as('alice').mergeRequests.update({ ...ref, addLabels: ['new'] })
  expect((await resourceEvents.listLabelEvents(ref)).items.slice(count)).toMatchObject([
    { action: 'add', resourceType: 'MergeRequest', label: { name: 'new' } },
  ])
  await forge.host.mergeRequests.update({ ...ref, stateEvent: 'close' })
  expect((await resourceEvents.listStateEvents(ref)).items).toMatchObject([{ state: 'closed', user: null }])
})

test('promoted labels and milestones keep their events, removed ones do not', async () => {
  const { issues, labels, milestones, resourceEvents } = forge.as('alice')
  const { id: milestoneId } = await milestones.create({ project, title: 'First' })
  const { iid: issue } = await issues.create({ project, title: 'x', labels: ['local'], milestone: milestoneId })
  await labels.promote({ project, label: 'local' })
  const promoted = await milestones.promote({ project, milestoneId })
  const ref = { project, issue }
  expect((await resourceEvents.listLabelEvents(ref)).items).toMatchObject([{ label: { name: 'local' } }])
  expect((await resourceEvents.listMilestoneEvents(ref)).items).toMatchObject([{ milestone: { id: promoted.id } }])
  await labels.remove({ group: 'acme', label: 'local' })
  await milestones.remove({ group: 'acme', milestoneId: promoted.id })
  expect((await resourceEvents.listLabelEvents(ref)).items).toMatchObject([{ label: null, action: 'add' }])
  expect((await resourceEvents.listMilestoneEvents(ref)).items).toEqual([])
})

test('events outlive their users and end with their item', async () => {
  await forge.as('bob').issues.create({ project, title: 'x', labels: ['bug'] })
  const { items } = await forge.host.issues.list({ project })
  const issue = items[0]?.iid as number
  await forge.host.users.remove({ user: 'bob' })
  expect((await forge.host.resourceEvents.listLabelEvents({ project, issue })).items).toMatchObject([{ user: null }])
  await forge.host.issues.remove({ project, issue })
  await expect(forge.host.resourceEvents.listLabelEvents({ project, issue })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('the burndown of a milestone has the issues that the caller can read', async () => {
  const { issues, milestones, resourceEvents } = forge.as('alice')
  const { id: milestoneId } = await milestones.create({ project, title: 'First' })
  const first = await issues.create({ project, title: 'x', milestone: milestoneId })
  await issues.create({ project, title: 'y', milestone: milestoneId, confidential: true })
  await issues.update({ project, issue: first.iid, stateEvent: 'close' })
  const list = async (username: string) =>
    (await forge.as(username).resourceEvents.listBurndownEvents({ project, milestoneId })).items.map(
      ({ action }) => action,
    )
  expect((await list('alice')).sort()).toEqual(['closed', 'created', 'created'])
  expect((await list('mallory')).sort()).toEqual(['closed', 'created'])
  const missing = resourceEvents.listBurndownEvents({ group: 'acme', milestoneId })
  await expect(missing).rejects.toMatchObject({ code: 'not_found' })
})
