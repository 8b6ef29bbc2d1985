import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'
import { type ExpirationPolicy, isDue, nextRunAfter, toDeleteRules } from './expiration-jobs.ts'

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
  ])('%s after %s is %s', (cadence, instant, expected) => {
    expect(nextRunAfter(cadence, instant)).toBe(expected)
  })

  test.each(['', '2d', 'constructor', '1month '])('rejects the unknown cadence %j', (cadence) => {
    expect(nextRunAfter(cadence, '2026-03-01T00:00:00.000Z')).toBeUndefined()
    expect(isDue({ ...policy, cadence }, '2026-03-01T00:00:00.000Z')).toBe(false)
  })

  test('an enabled policy is due from nextRunAt on', () => {
    const nextRunAt = '2026-03-08T00:00:00.000Z'
    expect(isDue(policy, '2026-03-01T00:00:00.000Z')).toBe(true)
    expect(isDue({ ...policy, nextRunAt }, '2026-03-07T23:59:59.999Z')).toBe(false)
    expect(isDue({ ...policy, nextRunAt }, nextRunAt)).toBe(true)
    expect(isDue({ ...policy, enabled: false }, nextRunAt)).toBe(false)
  })
})

test('a policy with a valid pattern has deletion rules, others have none', () => {
  expect(toDeleteRules({ ...policy, olderThan: '90d', nameRegexKeep: 'v1' })).toEqual({
    nameRegexDelete: 'v.*',
    nameRegexKeep: 'v1',
    keepN: 1,
    olderThan: '90d',
  })
  for (const nameRegex of [null, '', '[']) expect(toDeleteRules({ ...policy, nameRegex })).toBeUndefined()
  expect(toDeleteRules({ ...policy, nameRegexKeep: '(' })).toBeUndefined()
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
        .containerTags.set({ project, repository, tag, digest: `sha256:${'a'.repeat(64)}`, createdAt })
      now += 1_000
    }
  }
  const setPolicy = (change: Partial<ExpirationPolicy> = {}, settings: object = {}) =>
    forge.host.projects.update({
      project,
      settings: { containerExpirationPolicy: { ...policy, ...change }, ...settings },
    })
  const tags = async () =>
    (await forge.host.containerTags.list({ project, repository, perPage: 100 })).items.map(({ name }) => name)
  const daysLater = async (days: number) => {
    now += days * day
    while ((await forge.platform.jobs.drain()) > 0);
  }
  const nextRunAt = async () => {
    const { items } = await forge.host.projects.list({ group: 'acme' })
    return items.find(({ path }) => path === 'web')?.containerExpirationPolicy.nextRunAt
  }

  test('removes matching tags and repeats according to the cadence', async () => {
    await put('v1', 'v2', 'latest', 'other')
    await setPolicy()
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
    ['is disabled', { enabled: false }, {}],
    ['is not due', { nextRunAt: '2026-07-01T00:00:00.000Z' }, {}],
    ['has no pattern', { nameRegex: null }, {}],
    ['has an invalid pattern', { nameRegex: '[' }, {}],
    ['belongs to a disabled registry', {}, { containerRegistryAccessLevel: 'disabled' }],
  ])('removes nothing if the policy %s', async (_, change, settings) => {
    await put('v1', 'v2')
    await setPolicy(change, settings)
    await daysLater(1)
    await forge.host.projects.update({ project, settings: { containerRegistryAccessLevel: 'enabled' } })
    expect(await tags()).toEqual(['v1', 'v2'])
  })

  test('skips archived projects', async () => {
    await put('v1', 'v2')
    await setPolicy()
    await forge.host.projects.archive({ project })
    await daysLater(1)
    expect(await tags()).toEqual(['v1', 'v2'])
  })
})
