import { type ImageStore, PlatformError } from '@forgelet/core'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../world.ts'

const secret = 'a secret of the registry'
const project = 'acme/web'

/** A registry in which every repository has one tag, until it fails. */
let isReachable = true
const images: ImageStore = {
  repositories: async () => [],
  tags: async () => {
    if (!isReachable) throw new PlatformError('unavailable', 'The registry does not respond', { reason: 'registry' })
    return ['v1']
  },
  image: async () => undefined,
  untag: async () => undefined,
}

let forge: FakeForge
beforeEach(async () => {
  isReachable = true
  forge = await world({ http: { registryNotificationSecret: secret }, ports: { registry: { images } } })
})
afterEach(() => forge.close())

const push = (repository: string, tag: string | undefined = 'v1') => ({ action: 'push', target: { repository, tag } })

const notify = async (body: object | string, authorization: string | undefined = secret) => {
  const { status } = await forge.fetch('/api/v4/container_registry_event/events', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/vnd.docker.distribution.events.v1+json',
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return status
}

const listRepositories = async () => {
  const path = '/api/v4/projects/acme%2Fweb/registry/repositories?tags=true'
  const response = await forge.fetch(path, { headers: { Authorization: `Bearer ${forge.token('alice')}` } })
  return (await response.json()) as readonly { id: number; path: string; status: string; tags: { name: string }[] }[]
}

const pathsOf = async () => (await listRepositories()).map(({ path }) => path)

test('a pushed image is visible at once, and only once', async () => {
  expect(await notify({ events: [push(`${project}/worker`), push(project), push(`${project}/worker`, 'v2')] })).toBe(
    200,
  )
  expect(await notify({ events: [push(`${project}/worker`)] })).toBe(200)
  expect((await pathsOf()).toSorted()).toEqual([project, `${project}/worker`])
})

test('pulls, removals, layers and paths without a project add nothing', async () => {
  const target = { repository: project, tag: 'v1' }
  const others = [
    { action: 'pull', target },
    { action: 'delete', target },
    { action: 'push', target: { repository: project } },
    { action: 'push' },
    ...['other/path', 'ACME/WEB', '../acme/web', `${project}/../x`, `${project}/${'a'.repeat(300)}`, ''].map((path) =>
      push(path),
    ),
  ]
  expect(await notify({ events: others })).toBe(200)
  expect(await pathsOf()).toEqual([])
})

test('the secret is required, before the body is read', async () => {
  for (const wrong of ['', 'wrong', `Bearer ${secret}`, forge.token('root')]) {
    expect(await notify({ events: [push(project)] }, wrong)).toBe(401)
  }
  expect(await notify('x'.repeat(2_000_000), 'wrong')).toBe(401)
  expect(await pathsOf()).toEqual([])
})

test('malformed and large notifications are rejected', async () => {
  for (const body of ['', '[]', '{', '{"events":1}', '{"events":[{}]}', '{"events":[{"action":{}}]}']) {
    expect(await notify(body)).toBe(400)
  }
  expect(await notify({ events: Array(1_001).fill(push(project)) })).toBe(400)
  expect(await notify({ events: [push('x'.repeat(1_100_000))] })).toBe(413)
  const response = await forge.fetch('/api/v4/container_registry_event/events')
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
})

describe('the state of a removal', () => {
  test('is shown until it has ended, or failed; another request starts it again', async () => {
    await notify({ events: [push(project)] })
    const state = async () => (await forge.host.containerRepositories.list({ project })).items[0]?.status
    const repository = (await listRepositories())[0]?.id ?? 0
    const remove = () => forge.as('alice').containerRepositories.remove({ project, repository })
    expect(await state()).toBeNull()
    isReachable = false
    await remove()
    expect(await state()).toBe('delete_scheduled')
    // Ten attempts with growing delays.
    await forge.clock.advance({ days: 2 })
    expect(await state()).toBe('delete_failed')
    isReachable = true
    await remove()
    expect(await state()).toBe('delete_scheduled')
    await forge.platform.jobs.drain()
    expect(await state()).toBeUndefined()
  })
})
