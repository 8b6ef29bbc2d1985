import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ time: '2026-01-01T00:00:00.000Z' })
})
afterEach(() => forge.close())

const project = 'acme/web'
const author = { name: 'A', email: 'a@example.com' }

const createPipeline = async (content: string, place = project) => {
  const files = [{ path: '.gitlab-ci.yml', content }]
  await forge.host.commits.import({ project: place, commits: [{ branch: 'main', message: 'Build', author, files }] })
  return forge.as('alice').pipelines.create({ project: place, ref: 'main' })
}

const takeWith = async (place: { readonly project?: string } = {}) => {
  const { token } = await forge.host.runners.create(place)
  return () => forge.host.runners.takeJob({ token })
}

test('runners that ask at the same time receive different jobs, also of different projects', async () => {
  await createPipeline('build: { script: make, parallel: 4 }\n')
  await createPipeline('build: { script: make, parallel: 3 }\n', 'acme/tools/deploy')
  const runners = await Promise.all(Array.from({ length: 8 }, () => takeWith()))
  const taken = await Promise.all(runners.map((take) => take()))
  const ids = taken.flatMap((job) => job?.id ?? [])
  expect(ids).toHaveLength(7)
  expect(new Set(ids).size).toBe(7)
})

test('a job of a runner that went silent fails after its timeout, and its token is no longer valid', async () => {
  const pipeline = await createPipeline('build: { script: make, timeout: 10 minutes }\nlong: { script: make }\n')
  const take = await takeWith({ project })
  const first = await take()
  const second = await take()
  expect(first).toMatchObject({ name: 'build', timeout: 600 })
  await forge.clock.advance({ minutes: 10 })
  const statusOf = async (job = 0) => {
    const { status, failureReason } = await forge.host.pipelineJobs.get({ project, job })
    return `${status} ${failureReason}`
  }
  expect(await statusOf(first?.id)).toBe('running null')
  await forge.clock.advance({ minutes: 2 })
  expect(await statusOf(first?.id)).toBe('failed stuck_or_timeout_failure')
  expect(await statusOf(second?.id)).toBe('running null')
  const late = forge.host.pipelineJobs.update({ job: first?.id ?? 0, token: first?.token ?? '', status: 'success' })
  await expect(late).rejects.toMatchObject({ code: 'forbidden' })
  await forge.host.pipelineJobs.update({ project, job: second?.id ?? 0, status: 'success' })
  await forge.clock.advance({ hours: 2 })
  expect(await statusOf(second?.id)).toBe('success null')
  expect((await forge.host.pipelines.get({ project, pipeline: pipeline.id })).status).toBe('failed')
})

test('a log has the bytes of its pieces, also where a piece ends within a character or replaces earlier ones', async () => {
  await createPipeline('build: { script: make }\n')
  const take = await takeWith({ project })
  const job = (await take())?.id ?? 0
  const write = async (bytes: Uint8Array, offset?: number) => {
    const content = (async function* () {
      yield bytes
    })()
    const piece = { project, job, content, append: true, ...(offset !== undefined && { offset }) }
    return (await forge.host.pipelineJobs.writeTrace(piece)).size
  }
  const read = async () => (await forge.host.pipelineJobs.getTrace({ project, job })).content
  const text = Buffer.from('grün: 1 → 2\n')
  for (let at = 0; at < text.length; at++) expect(await write(text.subarray(at, at + 1), at)).toBe(at + 1)
  expect(await read()).toBe('grün: 1 → 2\n')
  expect(await write(Buffer.from('three\n'))).toBe(text.length + 6)
  expect(await write(Buffer.from('3 lines\n'), 7)).toBe(15)
  expect(await read()).toBe('grün: 3 lines\n')
  await expect(write(Buffer.from('x'), 16)).rejects.toMatchObject({ code: 'invalid' })
  await forge.host.pipelineJobs.writeTrace({ project, job, content: 'again' })
  expect(await read()).toBe('again')
})
