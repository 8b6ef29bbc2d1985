import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signalNames } from '../../packages/core/src/kernel/signal-names.ts'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { world } from '../world.ts'

let forge: FakeForge
let ids: Awaited<ReturnType<typeof readAllIds>>
const signals: string[] = []
const deliveries: string[] = []
beforeAll(async () => {
  const hooks = async (request: Request) => {
    deliveries.push(request.headers.get('X-Gitlab-Event') ?? '')
    return new Response()
  }
  forge = await world({ seed: fullSeed, hooks })
  ids = await readAllIds(forge)
  await forge.host.hooks.create({ project: 'acme/web', url: 'https://all.example.com/', issuesEvents: true })
  await forge.hooks.drain()
  for (const name of signalNames) forge.platform.on(name, () => void signals.push(name))
}, 60_000)
afterAll(() => forge.close())

const project = 'acme/web'
const group = 'acme'
const id = (name: string) => Number(ids[name])

interface Case {
  /** Updates with the values. */
  readonly update: () => Promise<unknown>
  /** Reads the changed object, with its time of change. */
  readonly read: () => Promise<unknown>
}

/** One update of each kind of object with a time of change or an event. */
const cases: Readonly<Record<string, (as: ReturnType<FakeForge['as']>) => Case>> = {
  'issues.update': ({ issues }) => ({
    update: () => issues.update({ project, issue: 1, title: 'One', labels: ['bug'], assignees: ['bob'], milestone: 0 }),
    read: () => issues.get({ project, issue: 1 }),
  }),
  'mergeRequests.update': ({ mergeRequests }) => ({
    update: () => mergeRequests.update({ project, mergeRequest: 1, title: 'One', labels: ['bug'], reviewers: ['bob'] }),
    read: () => mergeRequests.get({ project, mergeRequest: 1 }),
  }),
  'epics.update': ({ epics }) => ({
    update: () => epics.update({ group, epic: id('epic_id'), title: 'One', labels: ['bug'], color: 'red' }),
    read: () => epics.get({ group, epic: id('epic_id') }),
  }),
  'timeTracking.setEstimate': ({ issues, timeTracking }) => ({
    update: () => timeTracking.setEstimate({ project, issue: 1, duration: '2h' }),
    read: () => issues.get({ project, issue: 1 }),
  }),
  'labels.update': ({ labels }) => ({
    update: () => labels.update({ project, label: 'bug', newName: 'bug', color: 'red', description: 'A', priority: 1 }),
    read: () => labels.get({ project, label: 'bug' }),
  }),
  'milestones.update': ({ milestones }) => ({
    update: () =>
      milestones.update({ project, milestoneId: id('milestone_id'), title: 'One', description: 'A', state: 'closed' }),
    read: () => milestones.get({ project, milestoneId: id('milestone_id') }),
  }),
  'releases.update': ({ releases }) => ({
    update: () =>
      releases.update({ project, tagName: 'release-1', name: 'One', description: 'A', milestones: ['Of the changes'] }),
    read: () => releases.get({ project, tagName: 'release-1' }),
  }),
  'projects.update': ({ projects }) => ({
    update: () => projects.update({ project, name: 'One', description: 'A', settings: { tagList: ['a', 'b'] } }),
    read: () => projects.get({ project }),
  }),
  'groups.update': ({ groups }) => ({
    update: () => groups.update({ group, name: 'One', description: 'A' }),
    read: () => groups.get({ group }),
  }),
  'profiles.update': ({ profiles }) => ({
    update: () => profiles.update({ user: 'bob', name: 'Bob', email: 'bob@example.net', bio: 'A' }),
    read: () => profiles.get({ user: 'bob' }),
  }),
  'notes.update': ({ notes }) => ({
    update: () => notes.update({ project, issue: 1, note: id('issues_note'), body: 'One @bob' }),
    read: () => notes.get({ project, issue: 1, note: id('issues_note') }),
  }),
  'discussions.updateNote': ({ discussions, issues }) => ({
    update: () =>
      discussions.updateNote({
        project,
        issue: 1,
        discussion: String(ids.issues_discussion),
        note: id('issues_discussion_note'),
        body: 'One',
      }),
    read: () => issues.get({ project, issue: 1 }),
  }),
  'snippets.update': ({ snippets }) => ({
    update: () => snippets.update({ snippet: id('own_snippet'), title: 'One', content: 'A', visibility: 'public' }),
    read: () => snippets.get({ snippet: id('own_snippet') }),
  }),
  'environments.update': ({ environments }) => ({
    update: () =>
      environments.update({ project, environment: id('environment_id'), externalUrl: 'https://a.example.com' }),
    read: () => environments.get({ project, environment: id('environment_id') }),
  }),
  'deployments.update': ({ deployments }) => ({
    update: () => deployments.update({ project, deployment: id('deployment_id'), status: 'failed' }),
    read: () => deployments.get({ project, deployment: id('deployment_id') }),
  }),
  'wikis.update': ({ wikis }) => ({
    update: () => wikis.update({ project, slug: String(ids.slug), content: 'One', format: 'markdown' }),
    read: () => wikis.get({ project, slug: String(ids.slug) }),
  }),
  'members.update': ({ members }) => ({
    update: () => members.update({ group, user: 'bob', accessLevel: 30, expiresAt: '2999-01-01' }),
    read: () => members.list({ group }),
  }),
  'pipelineSchedules.update': ({ pipelineSchedules }) => ({
    update: () =>
      forge.as('bob').pipelineSchedules.update({
        project,
        schedule: id('pipeline_schedule_id'),
        description: 'One',
        active: true,
      }),
    read: () => pipelineSchedules.get({ project, schedule: id('pipeline_schedule_id') }),
  }),
  'pipelineTriggers.update': ({ pipelineTriggers }) => ({
    update: () => pipelineTriggers.update({ project, trigger: id('trigger_id'), description: 'One' }),
    read: () => pipelineTriggers.get({ project, trigger: id('trigger_id') }),
  }),
  'settings.update': ({ settings }) => ({
    update: () => settings.update({ signInText: 'One', sessionExpireDelay: 100 }),
    read: () => settings.get({}),
  }),
}

test.each(Object.entries(cases))('%s with the present values changes nothing', async (_name, prepare) => {
  const { update, read } = prepare(forge.as('root'))
  await update()
  await forge.hooks.drain()
  await forge.clock.advance({ minutes: 1 })
  const before = await read()
  signals.length = 0
  deliveries.length = 0
  await update()
  await forge.hooks.drain()
  expect(await read()).toEqual(before)
  expect(signals).toEqual([])
  expect(deliveries).toEqual([])
})
