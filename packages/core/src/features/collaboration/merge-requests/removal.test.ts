import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stored } from '../../../../../../test/stored.ts'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'

/** A merge request with a row in each table of things that belong to merge requests. */
const createMergeRequest = async () => {
  const [alice, bob] = [forge.as('alice'), forge.as('bob')]
  const branches = { sourceBranch: 'topic', targetBranch: 'main' }
  const details = { labels: ['bug'], assignees: ['carol'], reviewers: ['alice'] }
  const { iid } = await bob.mergeRequests.create({ project, title: 'A topic', ...branches, ...details })
  const ref = { project, mergeRequest: iid }
  const { notes } = await stored(alice.discussions.create({ ...ref, body: '@bob look' }))
  await bob.awardEmoji.create({ ...ref, note: notes[0]?.id as number, name: 'heart' })
  await bob.awardEmoji.create({ ...ref, name: 'rocket' })
  await forge.as('mallory').subscriptions.subscribe(ref)
  await alice.mergeRequestApprovals.approve(ref)
  await alice.draftNotes.create({ ...ref, note: 'A draft' })
  await bob.approvalRules.create({ ...ref, name: 'Review', approvalsRequired: 1, usernames: ['alice'] })
  const jobs = [{ name: 'test', stage: 'test' }]
  const pipeline = await forge.host.pipelines.record({ ...ref, ref: 'topic', sha: 'a'.repeat(40), jobs })
  const [job] = (await forge.host.pipelineJobs.list({ project, pipeline: pipeline.id })).items
  return { ref, pipeline: pipeline.id, job: job?.id as number }
}

const tables = ['award_emoji', 'note', 'event', 'todo', 'subscription', 'resource_event', 'approval_rule', 'draft_note']
  .concat(['assignee', 'label', 'reviewer', 'approval'].map((name) => `merge_request_${name}`))
  .concat('pipeline')

/** The tables with rows of a merge request. */
const findTables = async (id: number) => {
  const filled: string[] = []
  for (const table of tables) {
    const statement = `select 1 as one from ${table} where merge_request_id = ${id}`
    if ((await forge.platform.atomic((_platform, _at, run) => run(statement))).length) filled.push(table)
  }
  return filled
}

test('a merge request is removed with everything that belongs to it', async () => {
  const { ref, pipeline, job } = await createMergeRequest()
  const { id } = await forge.host.mergeRequests.get(ref)
  const { total: issuesBefore } = await forge.host.issues.list({ project })
  expect(await findTables(id)).toEqual(tables)
  await forge.as('alice').mergeRequests.remove(ref)
  expect(await findTables(id)).toEqual([])
  const missing = { code: 'not_found' }
  await expect(forge.host.mergeRequests.get(ref)).rejects.toMatchObject(missing)
  await expect(forge.host.pipelines.get({ project, pipeline })).rejects.toMatchObject(missing)
  await expect(forge.host.pipelineJobs.get({ project, job })).rejects.toMatchObject(missing)
  expect((await forge.as('bob').todos.list()).items.filter(({ body }) => body === 'A topic')).toEqual([])
  expect((await forge.host.issues.list({ project })).total).toBe(issuesBefore)
  await forge.platform.jobs.drain()
})

test('its number is not used again', async () => {
  const { ref } = await createMergeRequest()
  await forge.host.mergeRequests.remove(ref)
  const { iid } = await forge
    .as('bob')
    .mergeRequests.create({ project, title: 'Another', sourceBranch: 'other', targetBranch: 'main' })
  expect(iid).toBe(ref.mergeRequest + 1)
})

test('a closed merge request is removed, but not in an archived project', async () => {
  const { ref } = await createMergeRequest()
  await forge.host.projects.archive({ project })
  await expect(forge.as('alice').mergeRequests.remove(ref)).rejects.toMatchObject({ code: 'forbidden' })
  await forge.host.projects.unarchive({ project })
  await forge.as('bob').mergeRequests.update({ ...ref, stateEvent: 'close' })
  await forge.as('alice').mergeRequests.remove(ref)
  await expect(forge.host.mergeRequests.get(ref)).rejects.toMatchObject({ code: 'not_found' })
})
