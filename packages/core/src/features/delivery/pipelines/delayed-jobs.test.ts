import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ time: '2026-01-01T00:00:00.000Z' })
})
afterEach(() => forge.close())

const project = 'acme/web'
const author = { name: 'A', email: 'a@example.com' }

const create = async (content: string) => {
  const files = [{ path: '.gitlab-ci.yml', content }]
  await forge.host.commits.import({ project, commits: [{ message: 'Build', author, files }] })
  return forge.as('alice').pipelines.create({ project, ref: 'main' })
}
const jobOf = async ({ id }: { readonly id: number }, name: string) => {
  const { items } = await forge.host.pipelineJobs.list({ project, pipeline: id })
  return items.find((job) => job.name === name) as (typeof items)[number]
}

describe('a delayed job', () => {
  const delayed = 'later: { script: make, when: delayed, start_in: 30 minutes }\n'

  test('starts at its time', async () => {
    const pipeline = await create(delayed)
    expect(await jobOf(pipeline, 'later')).toMatchObject({
      status: 'scheduled',
      scheduledAt: '2026-01-01T00:30:00.000Z',
    })
    await forge.clock.advance({ minutes: 29 })
    expect(await jobOf(pipeline, 'later')).toMatchObject({ status: 'scheduled' })
    await forge.clock.advance({ minutes: 2 })
    expect(await jobOf(pipeline, 'later')).toMatchObject({ status: 'pending' })
  })

  test('counts its delay from the end of the earlier jobs, also with a rule', async () => {
    const pipeline = await create(`
build: { script: make, stage: build }
later: { script: make, rules: [{ when: delayed, start_in: 3 days }] }
`)
    await forge.clock.advance({ hours: 1 })
    await forge.host.pipelineJobs.update({ project, job: (await jobOf(pipeline, 'build')).id, status: 'success' })
    expect(await jobOf(pipeline, 'later')).toMatchObject({ scheduledAt: '2026-01-04T01:00:00.000Z' })
    await forge.clock.advance({ days: 4 })
    expect(await jobOf(pipeline, 'later')).toMatchObject({ status: 'pending' })
  })

  test('that was started or canceled before is not started again', async () => {
    const first = await create(delayed)
    const { id } = await jobOf(first, 'later')
    expect(await forge.as('alice').pipelineJobs.play({ project, job: id })).toMatchObject({ status: 'pending' })
    await forge.host.pipelineJobs.update({ project, job: id, status: 'success' })
    const second = await forge.as('alice').pipelines.create({ project, ref: 'main' })
    await forge.as('alice').pipelines.cancel({ project, pipeline: second.id })
    await forge.clock.advance({ hours: 1 })
    expect(await jobOf(first, 'later')).toMatchObject({ status: 'success' })
    expect(await jobOf(second, 'later')).toMatchObject({ status: 'canceled' })
  })

  test('that was recorded starts at its time, too', async () => {
    const fields = { project, ref: 'main', sha: 'a'.repeat(40) }
    const job = { startsWhen: 'delayed', startIn: '1 hour' } as const
    const jobs = [
      { ...job, name: 'waiting' },
      { ...job, name: 'scheduled', status: 'scheduled' as const },
      { name: 'asked', startsWhen: 'delayed' as const },
    ]
    const pipeline = await forge.host.pipelines.record({ ...fields, jobs })
    await forge.clock.advance({ hours: 2 })
    for (const name of ['waiting', 'scheduled'])
      expect(await jobOf(pipeline, name)).toMatchObject({ status: 'pending' })
    expect(await jobOf(pipeline, 'asked')).toMatchObject({ status: 'scheduled' })
  })

  test.each(['soon', '8 days'])('with the delay %j is rejected', async (delay) => {
    await expect(create(delayed.replace('30 minutes', delay))).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('artifacts', () => {
  const store = async (content: string, options: { readonly expiresAt?: string | null } = {}) => {
    const job = await jobOf(await create(content), 'build')
    const file = { fileName: 'a.zip', content: new Uint8Array([1, 2, 3]) }
    await forge.host.pipelineJobs.storeArtifacts({ project, job: job.id, file, ...options })
    return job.id
  }
  const expiryOf = async (job: number) => (await forge.host.pipelineJobs.get({ project, job })).artifactsExpireAt
  const read = async (job: number) => {
    const { content } = await forge.host.pipelineJobs.getArtifacts({ project, job })
    content.destroy()
    return 'readable'
  }
  const build = (expireIn: string) => `build: { script: make, artifacts: { paths: [a], expire_in: ${expireIn} } }\n`

  test('expire as the job says, or the instance', async () => {
    expect(await expiryOf(await store(build('2 hours')))).toBe('2026-01-01T02:00:00.000Z')
    expect(await expiryOf(await store(build('never')))).toBe(null)
    expect(await expiryOf(await store('build: { script: make }\n'))).toBe('2026-01-31T00:00:00.000Z')
    await forge.host.settings.update({ defaultArtifactsExpireIn: '0' })
    expect(await expiryOf(await store('build: { script: make }\n'))).toBe(null)
    expect(await expiryOf(await store(build('1 day'), { expiresAt: null }))).toBe(null)
  })

  test('cannot be read after their end, and are removed', async () => {
    const expiring = await store(build('2 hours'))
    const kept = await store(build('2 hours'))
    await forge.as('alice').pipelineJobs.keepArtifacts({ project, job: kept })
    await forge.clock.advance({ hours: 1 })
    expect(await read(expiring)).toBe('readable')
    await forge.clock.advance({ hours: 2 })
    await expect(read(expiring)).rejects.toMatchObject({ code: 'not_found' })
    const { alice } = { alice: forge.as('alice') }
    await expect(alice.pipelineJobs.keepArtifacts({ project, job: expiring })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await forge.host.pipelineJobs.get({ project, job: expiring })).toMatchObject({ artifact: null })
    await forge.clock.advance({ days: 2 })
    expect(await read(kept)).toBe('readable')
    const url = `${forge.url}/api/v4/projects/acme%2Fweb/jobs/${expiring}/artifacts`
    expect((await forge.fetch(url)).status).toBe(404)
  })

  test('with an invalid lifetime are rejected', async () => {
    await expect(store(build('soon'))).rejects.toMatchObject({ code: 'invalid' })
  })
})
