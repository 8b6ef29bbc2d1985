import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../test/world.ts'
import { type ExpirationPolicy, expirationRules, isDue, nextRunAfter } from './expiration.ts'

const policy: ExpirationPolicy = {
  cadence: '7d',
  enabled: true,
  keepN: 1,
  olderThan: null,
  nameRegex: 'v.*',
  nameRegexKeep: null,
  nextRunAt: null,
}

describe('cadences', () => {
  test.each([
    ['1d', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
    ['7d', '2026-12-28T00:00:00.000Z', '2027-01-04T00:00:00.000Z'],
    ['14d', '2026-03-01T00:00:00.000Z', '2026-03-15T00:00:00.000Z'],
    ['1month', '2026-01-31T00:00:00.000Z', '2026-02-28T00:00:00.000Z'],
    ['3month', '2026-11-30T00:00:00.000Z', '2027-02-28T00:00:00.000Z'],
    ['3month', '2026-01-15T00:00:00.000Z', '2026-04-15T00:00:00.000Z'],
  ])('%s after %s is %s', (cadence, from, to) => {
    expect(nextRunAfter(cadence, from)).toBe(to)
  })

  test.each(['', '2d', 'constructor', '1month '])('%j says nothing', (cadence) => {
    expect(nextRunAfter(cadence, '2026-03-01T00:00:00.000Z')).toBeUndefined()
    expect(isDue({ ...policy, cadence }, '2026-03-01T00:00:00.000Z')).toBe(false)
  })

  test('a policy is due from its instant on, while it is enabled', () => {
    const nextRunAt = '2026-03-08T00:00:00.000Z'
    expect(isDue(policy, '2026-03-01T00:00:00.000Z')).toBe(true)
    expect(isDue({ ...policy, nextRunAt }, '2026-03-07T23:59:59.999Z')).toBe(false)
    expect(isDue({ ...policy, nextRunAt }, nextRunAt)).toBe(true)
    expect(isDue({ ...policy, enabled: false }, nextRunAt)).toBe(false)
  })
})

test('a policy removes what its expressions name, and nothing where they cannot be read', () => {
  expect(expirationRules({ ...policy, olderThan: '90d', nameRegexKeep: 'v1' })).toEqual({
    nameRegexDelete: 'v.*',
    nameRegexKeep: 'v1',
    keepN: 1,
    olderThan: '90d',
  })
  for (const nameRegex of [null, '', '[']) expect(expirationRules({ ...policy, nameRegex })).toBeUndefined()
  expect(expirationRules({ ...policy, nameRegexKeep: '(' })).toBeUndefined()
})

describe('the daily run', () => {
  const day = 86_400_000
  const start = Date.parse('2026-06-01T00:00:05.000Z')
  const project = 'acme/web'
  let now = start
  let forge: FakeForge
  let repository: number
  beforeEach(async () => {
    now = start
    forge = await world({ ports: { clock: { now: () => now } } })
    repository = (await forge.as('alice').containerRepositories.create({ project, name: 'app' })).id
    await forge.platform.jobs.drain()
  })
  afterEach(() => forge.close())

  const put = async (...tags: readonly string[]) => {
    for (const tag of tags) {
      const createdAt = new Date(now).toISOString()
      await forge
        .as('alice')
        .containerTags.put({ project, repository, tag, digest: `sha256:${'a'.repeat(64)}`, createdAt })
      now += 1_000
    }
  }
  const set = (change: Partial<ExpirationPolicy> = {}, more: object = {}) =>
    forge.host.projects.update({
      project,
      settings: { containerExpirationPolicy: { ...policy, ...change }, ...more },
    })
  const tags = async () =>
    (await forge.host.containerTags.list({ project, repository, perPage: 100 })).items.map(({ name }) => name)
  const daysLater = async (days: number) => {
    now += days * day
    while ((await forge.platform.jobs.drain()) > 0);
  }
  const nextRunAt = async () => {
    const { items } = await forge.host.groups.projects({ group: 'acme' })
    return items.find(({ path }) => path === 'web')?.containerExpirationPolicy.nextRunAt
  }

  test('removes what the policy names, and comes again on its cadence', async () => {
    await put('v1', 'v2', 'latest', 'other')
    await set()
    await daysLater(1)
    expect(await tags()).toEqual(['latest', 'other', 'v2'])
    expect(await nextRunAt()).toBe('2026-06-09T00:00:00.000Z')
    await put('v3')
    await daysLater(6)
    expect(await tags()).toEqual(['latest', 'other', 'v2', 'v3'])
    await daysLater(1)
    expect(await tags()).toEqual(['latest', 'other', 'v3'])
    expect(await nextRunAt()).toBe('2026-06-16T00:00:00.000Z')
  })

  test.each<[string, Partial<ExpirationPolicy>, object]>([
    ['is switched off', { enabled: false }, {}],
    ['is not due', { nextRunAt: '2026-07-01T00:00:00.000Z' }, {}],
    ['names nothing', { nameRegex: null }, {}],
    ['cannot be read', { nameRegex: '[' }, {}],
    ['belongs to a registry that is switched off', {}, { containerRegistryEnabled: false }],
  ])('removes nothing where the policy %s', async (_, change, more) => {
    await put('v1', 'v2')
    await set(change, more)
    await daysLater(1)
    await forge.host.projects.update({ project, settings: { containerRegistryEnabled: true } })
    expect(await tags()).toEqual(['v1', 'v2'])
  })

  test('leaves an archived project alone', async () => {
    await put('v1', 'v2')
    await set()
    await forge.host.projects.archive({ project })
    await daysLater(1)
    expect(await tags()).toEqual(['v1', 'v2'])
  })
})
