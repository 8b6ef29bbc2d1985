import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fullSeed, readIds } from '../../../../../../test/full-seed.ts'
import { stored } from '../../../../../../test/stored.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
let ids: Readonly<Record<string, string | number>>
beforeEach(async () => {
  forge = await world({ seed: fullSeed })
  ids = await readIds(forge)
  await forge.host.projects.update({ project: 'acme/web', visibility: 'private' })
})
afterEach(() => forge.close())

const projectId = async () => (await forge.host.projects.get({ project: 'acme/web' })).id

test('items are found by their ids, and invisible ones are not', async () => {
  const project = await projectId()
  const group = (await forge.host.groups.get({ group: 'acme' })).id
  const issue = await forge.host.issues.get({ project, issue: 2 })
  const mergeRequest = await forge.host.mergeRequests.get({ project, mergeRequest: 1 })
  const items = [
    [
      { kind: 'issue', id: issue.id },
      { project, issue: 2 },
    ],
    [
      { kind: 'mergeRequest', id: mergeRequest.id },
      { project, mergeRequest: 1 },
    ],
    [
      { kind: 'snippet', id: Number(ids.snippet_id) },
      { project, snippet: ids.snippet_id },
    ],
    [
      { kind: 'epic', id: Number(ids.epic_id) },
      { group, epic: ids.epic_id },
    ],
  ] as const
  for (const [input, expected] of items) {
    expect(await forge.as('alice').globalIds.findItem(input)).toEqual(expected)
    const missing = { ...input, id: 999_999 }
    for (const [as, given] of [
      ['mallory', input],
      ['alice', missing],
    ] as const) {
      if (input.kind === 'epic' && as === 'mallory') continue
      await expect(forge.as(as).globalIds.findItem(given), input.kind).rejects.toMatchObject({ code: 'not_found' })
    }
  }
  const personal = { kind: 'snippet', id: Number(ids.own_snippet) } as const
  await expect(forge.as('root').globalIds.findItem(personal)).rejects.toMatchObject({ code: 'not_found' })
})

test('confidential issues and internal notes are found by those who can read them', async () => {
  const { globalIds, issues, notes } = forge.as('alice')
  const project = await projectId()
  await forge.host.projects.update({ project, visibility: 'public' })
  const { id, iid } = await issues.create({ project, title: 'Secret', confidential: true })
  const note = await stored(notes.create({ project, issue: iid, body: 'Secret' }))
  const internal = await stored(notes.create({ project, issue: 1, body: 'Internal', internal: true }))
  expect(await globalIds.findItem({ kind: 'issue', id })).toEqual({ project, issue: iid })
  const location = {
    item: { project, issue: 1 },
    note: internal.id,
    discussion: internal.id.toString(16).padStart(40, '0'),
  }
  expect(await globalIds.findNote({ id: internal.id })).toEqual(location)
  const { globalIds: others } = forge.as('mallory')
  const hidden = { code: 'not_found' }
  await expect(others.findItem({ kind: 'issue', id })).rejects.toMatchObject(hidden)
  await expect(others.findNote({ id: note.id })).rejects.toMatchObject(hidden)
  await expect(others.findNote({ id: internal.id })).rejects.toMatchObject(hidden)
  await expect(others.findDiscussion({ id: location.discussion })).rejects.toMatchObject(hidden)
})

test('discussions are found after the removal of their first note', async () => {
  const { globalIds, discussions } = forge.as('alice')
  const item = { project: await projectId(), mergeRequest: 1 }
  const { id, notes } = await stored(discussions.create({ ...item, body: 'First' }))
  const reply = await stored(discussions.reply({ ...item, discussion: id, body: 'Second' }))
  expect(await globalIds.findNote({ id: reply.id })).toEqual({ item, note: reply.id, discussion: id })
  await discussions.removeNote({ ...item, discussion: id, note: notes[0]?.id ?? 0 })
  expect(await globalIds.findDiscussion({ id })).toEqual({ item, discussion: id })
  const ofReply = reply.id.toString(16).padStart(40, '0')
  for (const missing of [ofReply, 'f'.repeat(40), '', 'x'])
    await expect(globalIds.findDiscussion({ id: missing })).rejects.toMatchObject({ code: 'not_found' })
})

test('milestones are found in visible projects and groups', async () => {
  const find = (as: string, id: unknown) => forge.as(as).globalIds.findMilestone({ id: Number(id) })
  const { groupId } = await find('alice', ids.group_milestone)
  expect(groupId).toBe((await forge.host.groups.get({ group: 'acme' })).id)
  expect(await find('alice', ids.milestone_id)).toEqual({ projectId: await projectId(), groupId: null })
  await expect(find('mallory', ids.milestone_id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(find('alice', 999_999)).rejects.toMatchObject({ code: 'not_found' })
})
