import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { listActions, runAction, runProvider } from './backstage.ts'
import { installTools } from './install-tools.ts'

/**
 * The scaffolder actions and the catalog providers of Backstage against a forge on a port. They take 300 MB, so `pnpm
 * test:trust backstage` runs them.
 */

const isRequested = process.env.FORGELET_BACKSTAGE === 'run'

beforeAll(async () => {
  if (isRequested && (await installTools('backstage')) === undefined)
    throw new Error('Backstage could not be downloaded')
}, 300_000)

let forge: FakeForge
let workspace: string
beforeEach(async () => {
  forge = await world({ port: 0, seed: demoWithCode })
  workspace = mkdtempSync(join(tmpdir(), 'forgelet-backstage-'))
  writeFileSync(join(workspace, 'README.md'), '# New\n')
  writeFileSync(join(workspace, '.gitlab-ci.yml'), 'build: { script: make, rules: [{ when: always }] }\n')
})
afterEach(async () => {
  rmSync(workspace, { recursive: true })
  await forge.close()
})

const connection = (user = 'root') => ({ url: forge.url, token: forge.token(user) })
const repoUrl = (owner = 'acme', repo = 'new') => `${new URL(forge.url).host}?owner=${owner}&repo=${repo}`

const called = new Set<string>()

const run = async (name: string, input: object) => {
  const outputs = await runAction(connection(), name, input, workspace)
  called.add(name)
  await forge.platform.jobs.drain()
  return outputs
}

/** Publishes the workspace as a new project; returns its id. */
const publish = async (input: object = {}) =>
  Number((await run('createPublishGitlabAction', { repoUrl: repoUrl(), defaultBranch: 'main', ...input })).projectId)

describe.runIf(isRequested)('scaffolder actions', { timeout: 60_000 }, () => {
  test('publish a project with settings, branches and variables', async () => {
    const settings = { description: 'A service', topics: ['web'], merge_method: 'ff', squash_option: 'always' }
    const variable = {
      key: 'TOKEN',
      value: 'abcdefghij',
      masked: true,
      protected: true,
      environment_scope: 'production',
    }
    await publish({
      repoVisibility: 'private',
      settings,
      branches: [{ name: 'next', ref: 'main', create: true, protect: true }],
      projectVariables: [variable],
    })
    const project = 'acme/new'
    expect(await forge.host.projects.get({ project })).toMatchObject({
      visibility: 'private',
      description: 'A service',
      defaultBranch: 'main',
    })
    expect(await forge.host.projects.get({ project })).toMatchObject({ mergeMethod: 'ff', squashOption: 'always' })
    const { content } = await forge.host.repositoryFiles.get({ project, filePath: 'README.md', ref: 'main' })
    expect(Buffer.from(content, 'base64').toString()).toBe('# New\n')
    const protectedBranches = await forge.host.protectedBranches.list({ project })
    expect(protectedBranches.items.map(({ name }) => name)).toContain('next')
    expect((await forge.host.ciVariables.list({ project })).items).toMatchObject([
      { key: 'TOKEN', value: 'abcdefghij', masked: true, environmentScope: 'production' },
    ])
    const again = await run('createPublishGitlabAction', { repoUrl: repoUrl(), skipExisting: true })
    expect(again).toMatchObject({ created: false })
  })

  test('open a merge request with changed files', async () => {
    await publish()
    writeFileSync(join(workspace, 'README.md'), '# Newer\n')
    writeFileSync(join(workspace, 'added.txt'), 'added\n')
    await run('createPublishGitlabMergeRequestAction', {
      repoUrl: repoUrl(),
      title: 'Change',
      branchName: 'change',
      targetBranchName: 'main',
      commitAction: 'auto',
      assignee: 'bob',
      reviewers: ['carol'],
      labels: ['scaffolded'],
      removeSourceBranch: true,
    })
    expect(await forge.host.mergeRequests.get({ project: 'acme/new', mergeRequest: 1 })).toMatchObject({
      title: 'Change',
      assignees: [{ username: 'bob' }],
      reviewers: [{ username: 'carol' }],
      labels: ['scaffolded'],
      removeSourceBranch: true,
      changesCount: '2',
    })
  })

  test('push files to a branch', async () => {
    await publish()
    writeFileSync(join(workspace, 'README.md'), '# Pushed\n')
    await run('createGitlabRepoPushAction', {
      repoUrl: repoUrl(),
      branchName: 'main',
      commitMessage: 'Push',
      commitAction: 'update',
    })
    const { content } = await forge.host.repositoryFiles.get({
      project: 'acme/new',
      filePath: 'README.md',
      ref: 'main',
    })
    expect(Buffer.from(content, 'base64').toString()).toBe('# Pushed\n')
  })

  test('create groups, and add and remove their members', async () => {
    const path = ['acme', 'services', { name: 'Web services', slug: 'web' }]
    const { groupId } = await run('createGitlabGroupEnsureExistsAction', { repoUrl: repoUrl(), path, description: 'x' })
    const group = 'acme/services/web'
    expect(await forge.host.groups.get({ group })).toMatchObject({ id: groupId, name: 'Web services' })
    const { id: bob } = await forge.host.users.get({ user: 'bob' })
    const access = { repoUrl: repoUrl(), path: group, userIds: [bob] }
    const names = async () => (await forge.host.members.list({ group })).items.map(({ username }) => username)
    await run('createGitlabGroupAccessAction', { ...access, action: 'add', accessLevel: 'developer' })
    expect(await names()).toContain('bob')
    await run('createGitlabGroupAccessAction', { ...access, action: 'remove' })
    expect(await names()).not.toContain('bob')
  })

  test('create and edit an issue', async () => {
    const projectId = await publish()
    const { id: bob } = await forge.host.users.get({ user: 'bob' })
    const { issueIid } = await run('createGitlabIssueAction', {
      repoUrl: repoUrl(),
      projectId,
      title: 'Broken',
      assignees: [bob],
      confidential: true,
      createdAt: '2026-01-01T00:00:00Z',
      dueDate: '2026-02-01T00:00:00Z',
      labels: 'one,two',
      issueType: 'issue',
      weight: 3,
    })
    const issue = Number(issueIid)
    expect(await forge.host.issues.get({ project: 'acme/new', issue })).toMatchObject({
      title: 'Broken',
      confidential: true,
      labels: ['one', 'two'],
      dueDate: '2026-02-01',
      createdAt: '2026-01-01T00:00:00.000Z',
    })
    await run('editGitlabIssueAction', {
      repoUrl: repoUrl(),
      projectId,
      issueIid: issue,
      addLabels: 'three',
      stateEvent: 'close',
      dueDate: '2026-03-01',
      discussionLocked: true,
    })
    expect(await forge.host.issues.get({ project: 'acme/new', issue })).toMatchObject({
      labels: ['one', 'three', 'two'],
      state: 'closed',
      dueDate: '2026-03-01',
      discussionLocked: true,
    })
  })

  test('create tokens and variables, and start a pipeline', async () => {
    const projectId = await publish()
    const target = { repoUrl: repoUrl(), projectId, name: 'Tool' }
    const scopes = ['read_repository']
    const access = { ...target, accessLevel: 30, scopes, expiresAt: '2027-01-01' }
    const { access_token: accessToken } = await run('createGitlabProjectAccessTokenAction', access)
    const { deploy_token: deployToken } = await run('createGitlabProjectDeployTokenAction', { ...target, scopes })
    expect([accessToken, deployToken]).toEqual([expect.any(String), expect.any(String)])
    const variable = { ...target, key: 'KEY', value: 'abcdefghij', variableType: 'env_var', maskedAndHidden: true }
    await run('createGitlabProjectVariableAction', variable)
    expect((await forge.host.ciVariables.list({ project: 'acme/new' })).items).toMatchObject([{ key: 'KEY' }])
    const trigger = { repoUrl: repoUrl(), projectId, tokenDescription: 'x', branch: 'main', variables: { A: 'x' } }
    const { pipelineUrl } = await run('createTriggerGitlabPipelineAction', trigger)
    const { items } = await forge.host.pipelines.list({ project: 'acme/new' })
    expect(items.map(({ source }) => source)).toEqual(['trigger'])
    expect(pipelineUrl).toBe(`${forge.url}/acme/new/-/pipelines/${items[0]?.id}`)
  })

  test('read a user', async () => {
    const { id } = await forge.host.users.get({ user: 'bob' })
    const user = await run('createGitlabUserInfoAction', { repoUrl: repoUrl(), userId: id })
    expect(user).toMatchObject({ id, username: 'bob', state: 'active' })
  })

  test('were all run', () => {
    expect(listActions().filter((name) => !called.has(name))).toEqual([])
  })
})

describe.runIf(isRequested)('catalog providers', () => {
  test('find the users and groups of the instance', async () => {
    const entities = await runProvider(connection(), 'GitlabOrgDiscoveryEntityProvider', { orgEnabled: true })
    const namesOf = (kind: string) =>
      entities.filter((entity) => entity.kind === kind).map(({ metadata }) => metadata.name)
    expect(namesOf('User').sort()).toEqual(['alice', 'bob', 'carol', 'dave', 'erin', 'mallory', 'root'])
    expect(namesOf('Group')).toContain('acme')
    const bob = entities.find(({ metadata }) => metadata.name === 'bob')
    expect(bob?.spec).toMatchObject({
      profile: { displayName: 'Bob Builder', email: 'bob@example.com' },
      memberOf: ['acme'],
    })
  })

  test('find the users and groups of a group, as one of its members', async () => {
    const settings = { orgEnabled: true, group: 'acme' }
    const entities = await runProvider(connection('alice'), 'GitlabOrgDiscoveryEntityProvider', settings)
    expect(entities.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(['alice', 'bob', 'acme']))
    expect(entities.map(({ metadata }) => metadata.name)).not.toContain('partners')
  })

  test('find the projects that have a catalog file', async () => {
    const author = { name: 'A', email: 'a@example.com' }
    const files = [{ path: 'catalog-info.yaml', content: 'kind: Component\n' }]
    await forge.host.commits.import({ project: 'acme/web', commits: [{ message: 'Describe', author, files }] })
    const entities = await runProvider(connection(), 'GitlabDiscoveryEntityProvider', {
      group: 'acme',
      fallbackBranch: 'main',
    })
    expect(entities.map(({ spec }) => spec.target)).toEqual([`${forge.url}/acme/web/-/blob/main/catalog-info.yaml`])
  })
})
