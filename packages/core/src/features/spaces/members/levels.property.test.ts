import type { Seed } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../test/property-runs.ts'
import { world } from '../../../../../../test/world.ts'
import type { Member } from './member.ts'

/**
 * Applies random sequences of memberships, shares and days, and compares access levels and member lists with a simple
 * recomputation from the steps.
 */

const users = ['ann', 'ben', 'cat', 'dan'] as const
const day = (number: number) => `2026-12-${String(number).padStart(2, '0')}`
const clock = { day: 1, now: () => Date.parse(`${day(clock.day)}T12:00:00Z`) }

const seed: Seed = {
  users: users.map((username) => ({ username })),
  groups: [
    { path: 'top', visibility: 'private' },
    { path: 'top/sub', visibility: 'private' },
    { path: 'guests', visibility: 'private' },
  ],
  projects: [{ path: 'top/sub/code', visibility: 'private' }],
}
const containers = {
  top: { group: 'top' },
  sub: { group: 'top/sub' },
  guests: { group: 'guests' },
  code: { project: 'top/sub/code' },
}
type ContainerName = keyof typeof containers
const target = (name: ContainerName) => containers[name] as { group: string }

let forge: FakeForge
beforeAll(async () => {
  forge = await world({ seed, ports: { clock } })
})
afterAll(() => forge.close())

const user = fc.constantFrom(...users)
/** `guests`, the invited group, is twice as likely: shares affect only its members. */
const container = fc.constantFrom<ContainerName>('top', 'sub', 'guests', 'guests', 'code')
const level = fc.constantFrom(10, 20, 30, 40)
const until = fc.option(fc.integer({ min: 1, max: 9 }), { freq: 3 })
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('join' as const), user, container, level, until }),
  fc.record({ kind: fc.constant('change' as const), user, container, level, until }),
  fc.record({ kind: fc.constant('leave' as const), user, container }),
  fc.record({
    kind: fc.constant('share' as const),
    container: fc.constantFrom<ContainerName>('top', 'sub', 'code'),
    level,
    until,
  }),
  fc.record({ kind: fc.constant('unshare' as const), container: fc.constantFrom<ContainerName>('top', 'sub', 'code') }),
  fc.record({ kind: fc.constant('sleep' as const), days: fc.integer({ min: 1, max: 3 }) }),
)
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never

interface Grant {
  readonly level: number
  readonly until: number | null
}
/** The state after the steps: memberships by user and container, shares by container. */
interface Model {
  readonly members: Map<string, Grant>
  readonly shares: Map<ContainerName, Grant>
}

const key = (username: string, container: ContainerName) => `${username}@${container}`
const subtrees: Record<ContainerName, readonly ContainerName[]> = {
  top: ['top', 'sub', 'code'],
  sub: ['sub', 'code'],
  guests: ['guests'],
  code: ['code'],
}
const expiry = (number: number | null) => (number === null ? null : day(number))
const active = (grant: Grant | undefined): grant is Grant =>
  grant !== undefined && (grant.until === null || grant.until > clock.day)

/** Executes a step and, if it succeeds, applies it to the model. */
const applyStep = async ({ host }: FakeForge, model: Model, step: Step) => {
  switch (step.kind) {
    case 'join':
    case 'change': {
      const { user } = step
      const grant = { ...target(step.container), accessLevel: step.level, expiresAt: expiry(step.until) }
      await (step.kind === 'join'
        ? host.members.add({ ...grant, users: [user] })
        : host.members.update({ ...grant, user }))
      return void model.members.set(key(step.user, step.container), step)
    }
    case 'leave':
      await host.members.remove({ ...target(step.container), user: step.user })
      for (const name of subtrees[step.container]) model.members.delete(key(step.user, name))
      return
    case 'share':
      await host.shares.create({
        ...target(step.container),
        withGroup: 'guests',
        accessLevel: step.level,
        expiresAt: expiry(step.until),
      })
      return void model.shares.set(step.container, step)
    case 'unshare':
      await host.shares.remove({ ...target(step.container), withGroup: 'guests' })
      return void model.shares.delete(step.container)
    case 'sleep':
      clock.day += step.days
  }
}

const projectLineage: readonly ContainerName[] = ['code', 'sub', 'top']

const expectedLevels = (model: Model, username: string) => {
  const direct = projectLineage.map((name) => model.members.get(key(username, name))).filter(active)
  const invited = model.members.get(key(username, 'guests'))
  const shared = projectLineage.map((name) => model.shares.get(name)).filter(active)
  const throughShares = active(invited) ? shared.map((share) => Math.min(share.level, invited.level)) : []
  const nearest = direct[0]?.level ?? (throughShares.length ? Math.max(...throughShares) : undefined)
  return { effective: Math.max(0, ...direct.map((grant) => grant.level), ...throughShares), nearest }
}

/** The expected list entry of each user: active before expired, then the nearest, then the highest level. */
const expectedMembers = (model: Model, lineage: readonly ContainerName[]): readonly Listed[] =>
  users.flatMap((username) => {
    const invited = model.members.get(key(username, 'guests'))
    const direct = lineage.map((name, distance) => ({ grant: model.members.get(key(username, name)), distance }))
    const shared = lineage
      .map((name) => model.shares.get(name))
      .filter(active)
      .map(({ level }) => ({
        grant: invited && { ...invited, level: Math.min(level, invited.level) },
        distance: lineage.length,
      }))
    const [nearest] = [...direct, ...shared]
      .flatMap(({ grant, distance }) => (grant ? [{ ...grant, distance, stale: active(grant) ? 0 : 1 }] : []))
      .sort((one, other) => one.stale - other.stale || one.distance - other.distance || other.level - one.level)
    return nearest ? [{ username, accessLevel: nearest.level, expiresAt: expiry(nearest.until) }] : []
  })

type Listed = Pick<Member, 'username' | 'accessLevel' | 'expiresAt'>

/** All listed members. Pages of two make most lists span several pages. */
const listAllMembers = async (container: { project: string } | { group: string }): Promise<readonly Listed[]> => {
  const listed: Listed[] = []
  for (let page = 1; ; page++) {
    const { items, total, hasNext } = await forge.host.members.list({ ...container, page, perPage: 2, inherited: true })
    listed.push(...items.map(({ username, accessLevel, expiresAt }) => ({ username, accessLevel, expiresAt })))
    if (hasNext) continue
    expect(total).toBe(listed.length)
    return listed
  }
}

const project = 'top/sub/code'
const succeeds = (call: Promise<unknown>) =>
  call.then(
    () => true,
    () => false,
  )

test('access levels and lists match the memberships, shares and current date', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 5, maxLength: 20 }),
      fc.integer({ min: 0, max: 8 }),
      async (steps, days) => {
        await forge.reset()
        clock.day = 1
        const model: Model = { members: new Map(), shares: new Map() }
        for (const step of steps) await applyStep(forge, model, step).catch(() => undefined)
        // Only time passes.
        clock.day += days
        for (const username of users) {
          const { effective, nearest } = expectedLevels(model, username)
          const as = forge.as(username)
          expect(await succeeds(as.projects.get({ project })), `${username} reads the project`).toBe(effective >= 10)
          expect(await succeeds(as.accessRequests.list({ project })), `${username} manages access requests`).toBe(
            effective >= 40,
          )
          if (nearest === undefined) continue
          expect(
            (await forge.host.members.get({ project, user: username, inherited: true })).accessLevel,
            `listed level of ${username}`,
          ).toBe(nearest)
        }
        expect(await listAllMembers({ project })).toEqual(expectedMembers(model, projectLineage))
        expect(await listAllMembers({ group: 'top/sub' })).toEqual(expectedMembers(model, ['sub', 'top']))
      },
    ),
    propertyRuns(30),
  )
}, 120_000)
