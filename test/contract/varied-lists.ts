import type { FakeForge } from '@forgelet/fixtures'
import { createZip } from '../support/zip.ts'
import type { Send } from './client.ts'

const web = '/projects/acme%2Fweb'
const project = 'acme/web'
const past = '2020-01-01T00:00:00Z'

type Ids = Readonly<Record<string, string | number>>

/** Projects that differ in everything, of one user, starred by them, forks of one project, and shared with a group. */
const addProjects = async ({ host, seed }: FakeForge) => {
  const files = { 'a.py': 'print(1)\n' }
  const author = { name: 'Bob', email: 'bob@example.com' }
  const work = {
    issues: [{ title: 'Ancient', author: 'bob' }],
    repository: { commits: ['main', 'ancient'].map((branch) => ({ branch, message: 'Print', author, files })) },
    mergeRequests: [{ title: 'Ancient', author: 'bob', sourceBranch: 'ancient' }],
  }
  await seed({
    groups: [
      { path: 'guests', visibility: 'public' },
      { path: 'hosts', visibility: 'public' },
      { path: 'guests-at-night', visibility: 'private', members: [{ user: 'root', access: 'owner' }] },
      {
        path: 'acme/more',
        members: [{ user: 'root', access: 'owner' }],
        customAttributes: [{ key: 'tier', value: 'gold' }],
      },
    ],
    projects: [
      { path: 'acme/old', archived: true, ...work },
      {
        path: 'bob/plain',
        visibility: 'public',
        stars: ['bob', 'root'],
        members: [{ user: 'root', access: 'maintainer' }],
        settings: { tagList: ['website'] },
        customAttributes: [{ key: 'tier', value: 'gold' }],
        repository: work.repository,
      },
      {
        path: 'bob/special',
        visibility: 'private',
        archived: true,
        stars: ['bob'],
        issuesAccessLevel: 'disabled',
        mergeRequestsAccessLevel: 'disabled',
        createdAt: past,
      },
    ],
  })
  for (const fork of ['bob/plain', 'bob/special']) await host.forks.link({ project: fork, forkedFrom: project })
  for (const shared of ['bob/plain', 'bob/special'])
    await host.shares.create({ project: shared, withGroup: 'acme', accessLevel: 30 })
  for (const group of ['guests', 'guests-at-night'])
    await host.shares.create({ group, withGroup: 'acme', accessLevel: group === 'guests' ? 20 : 40 })
  for (const withGroup of ['guests', 'guests-at-night'])
    await host.shares.create({ group: 'hosts', withGroup, accessLevel: 20 })
  await host.shares.create({ project, withGroup: 'guests', accessLevel: 20 })
  await host.shares.create({ project, withGroup: 'guests-at-night', accessLevel: 40 })
}

/** Objects of groups above and below others. */
const addLevels = async ({ host }: FakeForge, send: Send) => {
  const group = 'acme/tools'
  await host.labels.create({ group, name: 'below', color: 'red' })
  await host.epics.create({ group, title: 'Below', author: 'bob' })
  await host.protectedBranches.create({ group: 'acme', name: 'frozen-*' })
  const file = { fileName: 'a.txt', content: new TextEncoder().encode('A text') }
  await host.packages.publishGeneric({
    project: 'acme/tools/deploy',
    packageName: 'below',
    packageVersion: '1',
    ...file,
  })
  await host.containerRepositories.create({ project, name: 'assets' })
  for (const place of [web, '/groups/acme']) {
    const json = { name: 'Named', link_url: 'https://ci.example.com', image_url: 'https://ci.example.com/a.svg' }
    await send(`POST ${place}/badges`, { as: 'root', json })
    const day = { title: 'Varied', start_date: '2999-01-01', due_date: '2999-02-01' }
    await send(`POST ${place}/milestones`, { as: 'root', json: day })
  }
}

/** Work in every state. */
const addWork = async (forge: FakeForge, send: Send, ids: Ids) => {
  const { host, as } = forge
  const on = { as: 'root' }
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const bob = await host.users.get({ user: 'bob' })
  const root = await host.users.get({ user: 'root' })
  const issue = await send(`POST ${web}/issues`, {
    as: 'bob',
    json: { title: 'Varied', assignee_id: root.id, due_date: '2040-01-01' },
  })
  await send(`POST ${web}/issues/${issue.body.iid}/award_emoji`, { ...on, json: { name: 'rocket' } })
  await send(`POST ${web}/issues/${issue.body.iid}/notes`, { as: 'bob', json: { body: 'What does @root think?' } })
  const [epic] = (await host.epics.list({ group: 'acme' })).items
  await send(`POST /groups/acme/epics/${epic?.iid}/award_emoji`, { ...on, json: { name: 'rocket' } })
  const { commit } = await host.branches.get({ project, branch: 'main' })
  const author = { name: 'Bob', email: 'bob@example.com' }
  const files = [{ path: 'shipped.txt', content: 'Good\n' }]
  await host.commits.import({
    project,
    commits: [{ branch: 'shipped', message: 'Ship', author, parents: [commit.id], files }],
  })
  const shipped = await send(`POST ${web}/merge_requests`, {
    as: 'bob',
    json: {
      title: 'Shipped',
      source_branch: 'shipped',
      target_branch: 'main',
      reviewer_ids: [root.id],
      assignee_id: bob.id,
      labels: 'bug',
      milestone_id: ids.milestone_id,
    },
  })
  const { iid } = shipped.body
  await send(`POST ${web}/merge_requests/${iid}/award_emoji`, { ...on, json: { name: 'rocket' } })
  await send(`POST ${web}/merge_requests/${iid}/approval_rules`, {
    ...on,
    json: { name: 'Bob', approvals_required: 0, user_ids: [bob.id] },
  })
  await as('root').mergeRequestApprovals.approve({ project, mergeRequest: iid })
  await as('alice').mergeRequests.merge({ project, mergeRequest: iid })
  const head = (await host.branches.get({ project, branch: 'main' })).commit.id
  const { id: deployment } = await as('alice').deployments.create({
    project,
    environment: 'production',
    ref: 'main',
    sha: head,
    status: 'success',
  })
  for (const [name, state, ref] of [
    ['lint', 'failed', 'main'],
    ['lint', 'success', 'main'],
    ['review', 'success', 'cache-home'],
  ])
    await send(`POST ${web}/statuses/${head}`, { ...on, json: { name, state, ref } })
  await as('root').pipelines.record({ project, ref: 'main', sha: head, name: 'Named', jobs: [{ name: 'x' }] })
  for (const place of [web, '/groups/acme'])
    await send(`POST ${place}/deploy_tokens`, {
      ...on,
      json: { name: 'short', scopes: ['read_repository'], expires_at: tomorrow },
    })
  return { deployment_id: deployment }
}

/** People, tokens and runners of every kind. */
const addAccounts = async (forge: FakeForge, send: Send) => {
  const { host } = forge
  const [on, bob] = [{ as: 'root' }, await host.users.get({ user: 'bob' })]
  await host.identities.link({ user: 'bob', provider: 'crm', externalUid: '7' })
  await host.identities.link({ user: 'bob', provider: 'ldapmain', externalUid: '7' })
  await send(`PUT /users/${bob.id}`, { as: 'root', json: { public_email: 'bob@public.example.com' } })
  await host.users.update({ user: 'bob', lastActivityOn: new Date(forge.clock.now()).toISOString().slice(0, 10) })
  for (const username of ['leaver', 'idle']) await forge.make.user({ username })
  await host.issues.create({ project: 'acme/web', title: 'Left', author: 'leaver' })
  await host.users.remove({ user: 'leaver' })
  await forge.platform.jobs.drain()
  await host.users.block({ user: 'idle' })
  await host.tokens.create({ user: 'root', name: 'dated', scopes: ['api'], expiresAt: '2090-01-02' })
  const { runners_token: token } = (await send('GET /groups/acme', on)).body
  await send('POST /runners', { json: { token, tag_list: ['ios'], info: { version: '17.5.0' } } })
  for (const tagList of [['ios'], ['linux']])
    await host.runners.create({ group: 'acme', tagList, paused: tagList[0] === 'ios' })
  const { runners_token: projectToken } = (await send(`GET ${web}`, on)).body
  await send('POST /runners', { json: { token: projectToken, info: { version: '17.5.0' } } })
}

/** Sends events to the hooks. */
const addDeliveries = async (forge: FakeForge, ids: Ids) => {
  const { host } = forge
  await host.hooks.update({ project, hook: Number(ids.hook_id), issuesEvents: true })
  await host.hooks.update({ group: 'acme', hook: Number(ids.group_hook), issuesEvents: true })
  await host.issues.create({ project, title: 'Event', author: 'bob' })
  await forge.hooks.drain()
}

/** Gives lists what their filters keep and remove. Returns ids of what has lists of its own. */
export const varyLists = async (forge: FakeForge, send: Send, ids: Ids) => {
  await forge.host.members.add({ project, users: ['root'], accessLevel: 40 })
  await forge.as('root').projects.star({ project })
  await addProjects(forge)
  await addLevels(forge, send)
  const made = await addWork(forge, send, ids)
  await addAccounts(forge, send)
  await addDeliveries(forge, ids)
  const content = createZip(['a.txt', 'docs/b.txt'].map((path) => ({ path, content: 'a' })))
  const job = Number(ids.job_id)
  await forge.host.pipelineJobs.storeArtifacts({ project, job, file: { fileName: 'a.zip', content } })
  await send(`POST ${web}/jobs/${job}/retry`, { as: 'root' })
  await forge.clock.advance({ days: 2 })
  return made
}
