import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as predicates from '../../packages/core/src/access/predicates.ts'
import { type Actor, nobody } from '../../packages/core/src/kernel/actor.ts'
import type { Context } from '../../packages/core/src/kernel/context.ts'
import type { Handle, Store } from '../../packages/core/src/kernel/store.ts'
import { propertyRuns } from '../property-runs.ts'
import { dialect, emptyStore } from '../world.ts'
import { buildWorld } from './build-world.ts'
import { now, type RandomWorld, randomWorld } from './random-world.ts'
import { held, inOnePlace, readable, type TwoForms } from './two-forms.ts'

let store: Store
beforeAll(async () => {
  store = await emptyStore()
})
afterAll(() => store.close())

/** Where to start drawing worlds: always the same ones, unless another number is given. */
const seed = Number(process.env.FORGELET_WORLD_SEED ?? 20_261_121)
/** A question costs a round trip on PostgreSQL, so there are fewer worlds. */
const { numRuns: wanted } = propertyRuns(dialect === 'sqlite' ? 60 : 20)
const patience = 15_000

class Undone extends Error {}

/** Does something in a world that is gone afterwards. */
const within = async (world: RandomWorld, work: (handle: Handle) => Promise<void>) => {
  const undone = new Undone()
  await store
    .write(async (handle) => {
      await buildWorld(handle, world)
      await work(handle)
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
}

const callersIn = ({ users }: RandomWorld): Actor[] => {
  const people = users.map(({ id, external }) => ({
    kind: 'user' as const,
    id,
    username: `user${id}`,
    name: `User ${id}`,
    admin: false,
    external,
    scopes: null,
  }))
  const administrator = people.slice(0, 1).map((person) => ({ ...person, admin: true }))
  return [nobody, ...people, ...administrator, { kind: 'system', reason: 'test' }]
}

const nameOf = (actor: Actor) =>
  actor.kind === 'user' ? `${actor.username}${actor.admin ? ' (admin)' : ''}` : actor.kind

const sorted = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b)

const judgedIn = async (world: RandomWorld, ctx: Context, { all, judged }: TwoForms) => {
  const found: { id: number }[] = []
  for (const { id } of all(world)) if (await judged(ctx, id, world)) found.push({ id })
  return found
}

const counts = { worlds: 0, admitted: 0, refused: 0 }

const compare = async (world: RandomWorld, handle: Handle, actor: Actor, forms: TwoForms) => {
  const ctx = { ...handle, actor, now, tier: 'paid' } as Context
  const admitted = sorted(await forms.admitted(ctx))
  expect(admitted, `${forms.name}, for ${nameOf(actor)}`).toEqual(sorted(await judgedIn(world, ctx, forms)))
  counts.admitted += admitted.length
  counts.refused += forms.all(world).length - admitted.length
}

const sameInAllWorlds = (forms: readonly TwoForms[], callers: (world: RandomWorld) => Actor[], numRuns: number) =>
  fc.assert(
    fc.asyncProperty(randomWorld, (world) =>
      within(world, async (handle) => {
        counts.worlds++
        for (const actor of callers(world)) for (const form of forms) await compare(world, handle, actor, form)
      }),
    ),
    { seed, numRuns, interruptAfterTimeLimit: patience, markInterruptAsFailure: false },
  )

const report = () => {
  console.log(
    `${counts.worlds} worlds on ${dialect}: ${counts.admitted} times let in, ${counts.refused} times kept out`,
  )
  expect(counts.worlds).toBeGreaterThanOrEqual(1)
  expect(counts.admitted).toBeGreaterThan(counts.worlds)
  expect(counts.refused).toBeGreaterThan(counts.worlds)
  Object.assign(counts, { worlds: 0, admitted: 0, refused: 0 })
}

test('every condition is looked at', () => {
  const exported = Object.keys(predicates).filter((name) => name.startsWith('readable'))
  expect(new Set(Object.keys(readable))).toEqual(new Set(exported))
})

test('lists admit exactly the rows that the policy admits one by one', async () => {
  await sameInAllWorlds(Object.values(readable), callersIn, wanted)
  report()
})

test('lists of one place admit exactly the same rows', async () => {
  await sameInAllWorlds(inOnePlace, callersIn, Math.ceil(wanted / 2))
  report()
})

test('the places where a level is held are those where it is found to be held', async () => {
  const people = (world: RandomWorld) => callersIn(world).filter(({ kind }) => kind === 'user')
  await sameInAllWorlds(held, people, Math.ceil(wanted / 2))
  report()
})
