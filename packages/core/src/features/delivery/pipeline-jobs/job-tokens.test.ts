import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const deploy = 'acme/tools/deploy'
const sha = 'a'.repeat(40)
const missing = { code: 'not_found' }
const rejected = { code: 'unauthenticated', reason: 'expired' }
const insufficient = { code: 'insufficient_scope' }

/** A job that `user` runs, and a session with its token. */
const startJob = async (user: string | undefined = 'bob', at = project) => {
  const jobs = [{ name: 'test' }]
  const pipeline = await forge.host.pipelines.record({ project: at, ref: 'main', sha, user, jobs })
  const [job] = (await forge.host.pipelineJobs.list({ project: at, pipeline: pipeline.id })).items
  const { id } = job as { id: number }
  const token = await forge.ci.token({ id, projectId: pipeline.projectId })
  return { id, pipeline: pipeline.id, token, session: forge.platform.as({ token }) }
}

const idOf = async (path: string) => (await forge.host.projects.get({ project: path })).id

describe('a job token', () => {
  test('authenticates the user of a running job', async () => {
    const { id, token, session } = await startJob()
    expect(token).toMatch(/^glcbt-[\w-]{27}$/)
    expect(await session.pipelineJobs.getCurrent()).toMatchObject({ id, status: 'running', user: { username: 'bob' } })
    const created = await session.environments.create({ project, name: 'production' })
    const { user } = await session.deployments.create({ project, environment: created.id, ref: 'main', sha })
    expect(user).toMatchObject({ username: 'bob' })
  })

  test('is valid until the job ends', async () => {
    const { id, pipeline, session } = await startJob()
    await forge.host.pipelines.finish({ project, pipeline })
    await expect(session.pipelineJobs.getCurrent()).rejects.toMatchObject(rejected)
    const again = forge.host.pipelineJobs.createToken({ project, job: id })
    await expect(again).rejects.toMatchObject({ code: 'invalid' })
    await forge.host.pipelines.remove({ project, pipeline })
    await expect(session.pipelineJobs.getCurrent()).rejects.toMatchObject({
      code: 'unauthenticated',
      reason: 'unknown',
    })
  })

  test('is replaced by a later one', async () => {
    const { id, session } = await startJob()
    const { token } = await forge.host.pipelineJobs.createToken({ project, job: id })
    expect(await forge.platform.as({ token }).pipelineJobs.getCurrent()).toMatchObject({ id })
    await expect(session.pipelineJobs.getCurrent()).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('permits only the operations that name it', async () => {
    const { session } = await startJob()
    await expect(session.projects.get({ project })).rejects.toMatchObject(insufficient)
    await expect(session.users.get()).rejects.toMatchObject(insufficient)
    await expect(session.issues.list({ project })).rejects.toMatchObject(insufficient)
    await expect(session.pipelineJobs.list({ project })).rejects.toMatchObject(insufficient)
    await expect(session.packages.list({ group: 'acme' })).rejects.toMatchObject(insufficient)
    await expect(session.tokens.create({ user: 'bob', name: 'x' })).rejects.toMatchObject(insufficient)
  })

  test('does not permit to act as another user', async () => {
    const { token } = await startJob('root')
    const session = forge.platform.as({ token, sudo: 'alice' })
    await expect(session.pipelineJobs.getCurrent()).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('has the permissions of the user', async () => {
    const { session } = await startJob('carol')
    expect((await session.environments.list({ project })).items).toEqual([])
    const creation = session.environments.create({ project, name: 'production' })
    await expect(creation).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('of a blocked user is rejected', async () => {
    const { session } = await startJob()
    await forge.host.users.block({ user: 'bob' })
    await expect(session.pipelineJobs.getCurrent()).rejects.toMatchObject({ code: 'forbidden', reason: 'blocked' })
  })

  test('needs a user', async () => {
    const pipeline = await forge.host.pipelines.record({ project, ref: 'main', sha, jobs: [{ name: 'test' }] })
    const [job] = (await forge.host.pipelineJobs.list({ project, pipeline: pipeline.id })).items
    await expect(forge.ci.token(job as { id: number; projectId: number })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('is not the token of an own job for other callers', async () => {
    await expect(forge.as('bob').pipelineJobs.getCurrent()).rejects.toMatchObject(missing)
    await expect(forge.host.pipelineJobs.getCurrent()).rejects.toMatchObject(missing)
    await expect(forge.platform.as(null).pipelineJobs.getCurrent()).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('creates pipelines of permitted projects as a trigger token', async () => {
    const { token } = await startJob('alice')
    const files = [{ path: '.gitlab-ci.yml', content: 'build: { script: make }' }]
    const commits = [{ message: 'Build', author: { name: 'A', email: 'a@example.com' }, files }]
    for (const path of [project, deploy]) await forge.host.commits.import({ project: path, commits })
    const run = (path: string) => forge.platform.as(null).pipelineTriggers.run({ project: path, token, ref: 'main' })
    expect(await run(project)).toMatchObject({ source: 'pipeline', user: { username: 'alice' } })
    await expect(run(deploy)).rejects.toMatchObject(missing)
    await forge.host.jobTokenScopes.addProject({ project: deploy, targetProject: await idOf(project) })
    expect(await run(deploy)).toMatchObject({ source: 'pipeline', user: { username: 'alice' } })
  })
})

describe('other projects', () => {
  const read = async (user: string, at = deploy) =>
    (await startJob(user)).session.environments.list({ project: at }).then(({ items }) => items)

  test('permit the job tokens of listed projects', async () => {
    const { jobTokenScopes } = forge.as('alice')
    const target = { project: deploy, targetProject: await idOf(project) }
    await expect(read('alice')).rejects.toMatchObject(missing)
    expect(await jobTokenScopes.addProject(target)).toEqual({
      sourceProjectId: await idOf(deploy),
      targetProjectId: await idOf(project),
    })
    await expect(jobTokenScopes.addProject(target)).rejects.toMatchObject({ code: 'invalid' })
    expect(await read('alice')).toEqual([])
    // Of users who cannot see the project, not even then.
    await expect(read('mallory')).rejects.toMatchObject(missing)
    expect(
      (await jobTokenScopes.listProjects({ project: deploy })).items.map(({ fullPath }) => fullPath).sort(),
    ).toEqual([deploy, project])
    await jobTokenScopes.removeProject(target)
    await expect(jobTokenScopes.removeProject(target)).rejects.toMatchObject(missing)
    await expect(read('alice')).rejects.toMatchObject(missing)
  })

  test('permit the job tokens of all projects below listed groups', async () => {
    const { jobTokenScopes } = forge.as('alice')
    const group = await forge.host.groups.get({ group: 'acme' })
    const target = { project: deploy, targetGroup: group.id }
    await jobTokenScopes.addGroup(target)
    await expect(jobTokenScopes.addGroup(target)).rejects.toMatchObject({ code: 'invalid' })
    const { items } = await jobTokenScopes.listGroups({ project: deploy })
    expect(items).toEqual([{ id: group.id, name: group.name, fullPath: 'acme' }])
    expect(await read('alice')).toEqual([])
    await jobTokenScopes.removeGroup(target)
    await expect(read('alice')).rejects.toMatchObject(missing)
  })

  test('permit the job tokens of all projects without a restriction', async () => {
    const { jobTokenScopes } = forge.as('alice')
    expect(await jobTokenScopes.get({ project: deploy })).toEqual({ inboundEnabled: true, outboundEnabled: false })
    await jobTokenScopes.update({ project: deploy, enabled: false })
    expect(await jobTokenScopes.get({ project: deploy })).toEqual({ inboundEnabled: false, outboundEnabled: false })
    expect(await read('alice')).toEqual([])
  })

  test('restrict administrators, too', async () => {
    await expect(read('root')).rejects.toMatchObject(missing)
    expect(await read('root', project)).toEqual([])
    await forge.host.jobTokenScopes.update({ project: deploy, enabled: false })
    expect(await read('root')).toEqual([])
  })

  test('that everyone can see are read as by a user without membership', async () => {
    const { session } = await startJob('alice', deploy)
    expect((await session.releases.list({ project })).items).toEqual([])
    const creation = session.environments.create({ project, name: 'production' })
    await expect(creation).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('cannot be the project itself or invisible', async () => {
    const add = async (path: string, targetProject: string) =>
      forge.as('alice').jobTokenScopes.addProject({ project: path, targetProject: await idOf(targetProject) })
    await expect(add(project, project)).rejects.toMatchObject({ code: 'invalid' })
    await forge.as('mallory').projects.create({ name: 'Secret', path: 'secret', visibility: 'private' })
    await expect(add(project, 'mallory/secret')).rejects.toMatchObject(missing)
  })

  test('leave the lists when they are removed', async () => {
    await forge.host.jobTokenScopes.addProject({ project: deploy, targetProject: await idOf(project) })
    await forge.host.projects.remove({ project })
    expect((await forge.host.jobTokenScopes.listProjects({ project: deploy })).items).toHaveLength(1)
  })
})
