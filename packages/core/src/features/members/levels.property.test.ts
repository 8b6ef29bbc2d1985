import type { Seed } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { propertyRuns } from '../../../../../test/property-runs.ts'
import { world } from '../../../../../test/world.ts'
import type { Member } from './member.ts'

/**
 * Any sequence of memberships, shares and days: what a user may do and how lists name them must be what a plain
 * recomputation from the steps says.
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
const places = {
  top: { group: 'top' },
  sub: { group: 'top/sub' },
  guests: { group: 'guests' },
  code: { project: 'top/sub/code' },
}
type PlaceName = keyof typeof places
const target = (name: PlaceName) => places[name] as { group: string }

let forge: FakeForge
beforeAll(async () => {
  forge = await world({ seed, ports: { clock } })
})
afterAll(() => forge.close())

const user = fc.constantFrom(...users)
/** The invited group twice as often: shares mean something only to its members. */
const place = fc.constantFrom<PlaceName>('top', 'sub', 'guests', 'guests', 'code')
const level = fc.constantFrom(10, 20, 30, 40)
const until = fc.option(fc.integer({ min: 1, max: 9 }), { freq: 3 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('join' as const), user, place, level, until }),
  fc.record({ kind: fc.constant('change' as const), user, place, level, until }),
  fc.record({ kind: fc.constant('leave' as const), user, place }),
  fc.record({
    kind: fc.constant('share' as const),
    place: fc.constantFrom<PlaceName>('top', 'sub', 'code'),
    level,
    until,
  }),
  fc.record({ kind: fc.constant('unshare' as const), place: fc.constantFrom<PlaceName>('top', 'sub', 'code') }),
  fc.record({ kind: fc.constant('sleep' as const), days: fc.integer({ min: 1, max: 3 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface Grant {
  readonly level: number
  readonly until: number | null
}
/** What the steps have left behind: grants by place, and by user for memberships. */
interface Model {
  readonly members: Map<string, Grant>
  readonly shares: Map<PlaceName, Grant>
}

const key = (who: string, where: PlaceName) => `${who}@${where}`
const below: Record<PlaceName, readonly PlaceName[]> = {
  top: ['top', 'sub', 'code'],
  sub: ['sub', 'code'],
  guests: ['guests'],
  code: ['code'],
}
const expiry = (number: number | null) => (number === null ? null : day(number))
const active = (grant: Grant | undefined): grant is Grant =>
  grant !== undefined && (grant.until === null || grant.until > clock.day)

/** Does a step, and on success repeats it in the model. */
const play = async ({ host }: FakeForge, model: Model, given: Step) => {
  switch (given.kind) {
    case 'join':
    case 'change': {
      const call = {
        ...target(given.place),
        user: given.user,
        accessLevel: given.level,
        expiresAt: expiry(given.until),
      }
      await (given.kind === 'join' ? host.members.add(call) : host.members.update(call))
      return void model.members.set(key(given.user, given.place), given)
    }
    case 'leave':
      await host.members.remove({ ...target(given.place), user: given.user })
      for (const name of below[given.place]) model.members.delete(key(given.user, name))
      return
    case 'share':
      await host.shares.add({
        ...target(given.place),
        withGroup: 'guests',
        accessLevel: given.level,
        expiresAt: expiry(given.until),
      })
      return void model.shares.set(given.place, given)
    case 'unshare':
      await host.shares.remove({ ...target(given.place), withGroup: 'guests' })
      return void model.shares.delete(given.place)
    case 'sleep':
      clock.day += given.days
  }
}

const reaching: readonly PlaceName[] = ['code', 'sub', 'top']

const levelsOf = (model: Model, who: string) => {
  const direct = reaching.map((name) => model.members.get(key(who, name))).filter(active)
  const invited = model.members.get(key(who, 'guests'))
  const shared = reaching.map((name) => model.shares.get(name)).filter(active)
  const throughShares = active(invited) ? shared.map((share) => Math.min(share.level, invited.level)) : []
  const nearest = direct[0]?.level ?? (throughShares.length ? Math.max(...throughShares) : undefined)
  return { effective: Math.max(0, ...direct.map((grant) => grant.level), ...throughShares), nearest }
}

/** The one membership as which each user is listed: one that counts, then the nearest, then the highest. */
const expectedAt = (model: Model, places: readonly PlaceName[]): readonly Listed[] =>
  users.flatMap((username) => {
    const invited = model.members.get(key(username, 'guests'))
    const own = places.map((name, distance) => ({ grant: model.members.get(key(username, name)), distance }))
    const shared = places
      .map((name) => model.shares.get(name))
      .filter(active)
      .map(({ level }) => ({
        grant: invited && { ...invited, level: Math.min(level, invited.level) },
        distance: places.length,
      }))
    const [nearest] = [...own, ...shared]
      .flatMap(({ grant, distance }) => (grant ? [{ ...grant, distance, stale: active(grant) ? 0 : 1 }] : []))
      .sort((one, other) => one.stale - other.stale || one.distance - other.distance || other.level - one.level)
    return nearest ? [{ username, accessLevel: nearest.level, expiresAt: expiry(nearest.until) }] : []
  })

type Listed = Pick<Member, 'username' | 'accessLevel' | 'expiresAt'>

/** Everybody that the pages list, which are short so that most lists have several. */
const listedAt = async (at: { project: string } | { group: string }): Promise<readonly Listed[]> => {
  const listed: Listed[] = []
  for (let page = 1; ; page++) {
    const { items, total, hasNext } = await forge.host.members.listAll({ ...at, page, perPage: 2 })
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

test('levels are what the memberships, shares and days of this moment say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 20 }),
      fc.integer({ min: 0, max: 8 }),
      async (steps, days) => {
        await forge.reset()
        clock.day = 1
        const model: Model = { members: new Map(), shares: new Map() }
        for (const given of steps) await play(forge, model, given).catch(() => undefined)
        // Then nothing happens for a while but time.
        clock.day += days
        for (const who of users) {
          const { effective, nearest } = levelsOf(model, who)
          const as = forge.as(who)
          expect(await succeeds(as.projects.get({ project })), `${who} sees it`).toBe(effective >= 10)
          expect(await succeeds(as.accessRequests.list({ project })), `${who} decides`).toBe(effective >= 40)
          if (nearest === undefined) continue
          expect((await forge.host.members.getAll({ project, user: who })).accessLevel, `${who} is listed`).toBe(
            nearest,
          )
        }
        expect(await listedAt({ project })).toEqual(expectedAt(model, reaching))
        expect(await listedAt({ group: 'top/sub' })).toEqual(expectedAt(model, ['sub', 'top']))
      },
    ),
    propertyRuns(30),
  )
}, 120_000)
