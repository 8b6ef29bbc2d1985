import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withGrants } from '../../packages/core/src/access/grants.ts'
import * as predicates from '../../packages/core/src/access/predicates.ts'
import { type Actor, anonymous } from '../../packages/core/src/kernel/actor.ts'
import { awaitAll } from '../../packages/core/src/kernel/await-all.ts'
import type { Context } from '../../packages/core/src/kernel/context.ts'
import type { Handle, Store } from '../../packages/core/src/kernel/store.ts'
import { reportFigures } from '../figures.ts'
import { propertyFactor, propertyRuns } from '../property-runs.ts'
import { dialect, emptyStore } from '../world.ts'
import { type AccessRule, accessLevels, inOneProject, readable } from './access-rules.ts'
import { insertWorld } from './insert-world.ts'
import { now, type RandomWorld, randomWorld } from './random-world.ts'

let store: Store
beforeAll(async () => {
  store = await emptyStore()
})
afterAll(() => store.close())

/** Fewer worlds on PostgreSQL, where every check costs a round trip. By default every run has the same worlds. */
const { numRuns: worldCount, seed = 20_261_121 } = propertyRuns(dialect === 'sqlite' ? 60 : 20)
/** In milliseconds. */
const timeLimit = 15_000 * Math.max(1, propertyFactor)

class RollbackError extends Error {}

/** Runs `work` in a world, and rolls it back. */
const within = async (world: RandomWorld, work: (handle: Handle) => Promise<void>) => {
  const rollback = new RollbackError()
  await store
    .write(async (handle) => {
      await insertWorld(handle, world)
      await work(handle)
      throw rollback
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error
    })
}

const callersIn = ({ users }: RandomWorld): Actor[] => {
  const callers = users.map(({ id, external }) => ({
    kind: 'user' as const,
    id,
    username: `user${id}`,
    name: `User ${id}`,
    admin: false,
    external,
    bot: false,
    scopes: null,
  }))
  const administrator = callers.slice(0, 1).map((caller) => ({ ...caller, admin: true }))
  return [anonymous, ...callers, ...administrator, { kind: 'system', reason: 'test' }]
}

const nameOf = (actor: Actor) =>
  actor.kind === 'user' ? `${actor.username}${actor.admin ? ' (admin)' : ''}` : actor.kind

const sorted = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b)

const allowedIn = async (world: RandomWorld, ctx: Context, { all, isAllowed }: AccessRule) => {
  const rows = all(world)
  // Together, they share round trips to PostgreSQL.
  const results = await awaitAll(rows.map(async ({ id }) => isAllowed(ctx, id, world)))
  return rows.filter((_, at) => results[at])
}

const counts = { worlds: 0, admitted: 0, rejected: 0 }

type AccessForm = (ctx: Context) => Context | Promise<Context>

/** What is known about the access of the caller. Each caller of a world has another form, and the same caller in the next world. */
const accessForms: readonly AccessForm[] = [
  (ctx) => ctx,
  (ctx) => withGrants(ctx),
  async (ctx) => ({ ...(await withGrants(ctx)), isMemberOfFew: true }) as Context,
]

const compare = async (world: RandomWorld, handle: Handle, actor: Actor, rule: AccessRule, form: AccessForm) => {
  const ctx = { ...handle, actor, now, tier: 'paid', lockContainer: () => undefined } as unknown as Context
  const allowed = sorted(await allowedIn(world, ctx, rule))
  const admitted = sorted(await rule.admitted(await form(ctx), world))
  expect(admitted, `${rule.name}, for ${nameOf(actor)}`).toEqual(allowed)
  counts.admitted += admitted.length
  counts.rejected += rule.all(world).length - admitted.length
}

const compareInAllWorlds = (rules: readonly AccessRule[], callers: (world: RandomWorld) => Actor[], numRuns: number) =>
  fc.assert(
    fc.asyncProperty(randomWorld, (world) =>
      within(world, async (handle) => {
        counts.worlds++
        for (const [index, actor] of callers(world).entries()) {
          const form = accessForms[(index + counts.worlds) % accessForms.length] as AccessForm
          for (const rule of rules) await compare(world, handle, actor, rule, form)
        }
      }),
    ),
    { seed, numRuns, interruptAfterTimeLimit: timeLimit, markInterruptAsFailure: false },
  )

const report = () => {
  const { worlds, admitted, rejected } = counts
  reportFigures(`conditions on ${dialect}`, { worlds, 'rows admitted': admitted, 'rows rejected': rejected })
  expect(counts.worlds).toBeGreaterThanOrEqual(1)
  expect(counts.admitted).toBeGreaterThan(counts.worlds)
  expect(counts.rejected).toBeGreaterThan(counts.worlds)
  Object.assign(counts, { worlds: 0, admitted: 0, rejected: 0 })
}

test('all conditions of access/predicates.ts are tested', () => {
  const exported = Object.keys(predicates).filter((name) => name.startsWith('readable'))
  expect(new Set(Object.keys(readable))).toEqual(new Set(exported))
})

test('conditions admit exactly the rows that the policy allows individually', async () => {
  await compareInAllWorlds(Object.values(readable), callersIn, worldCount)
  report()
})

test('conditions for one project admit the same rows', async () => {
  await compareInAllWorlds(inOneProject, callersIn, Math.ceil(worldCount / 2))
  report()
})

test('sets of groups and projects by access level match the individual access levels', async () => {
  const usersOf = (world: RandomWorld) => callersIn(world).filter(({ kind }) => kind === 'user')
  await compareInAllWorlds(accessLevels, usersOf, Math.ceil(worldCount / 2))
  report()
})
