import type { FakeForge, Seed } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../world.ts'
import { checkModel, expectOutcome, type ModelRun } from './check-model.ts'

/**
 * Users manage members and shares of nested groups and projects. The model predicts the outcome of each command and the
 * access levels of all users, and checks that no command gives anyone more access than its caller had.
 */

const users = ['ann', 'ben', 'cat', 'dan'] as const
type User = (typeof users)[number]

/** All groups and projects are private. */
const parents = {
  top: undefined,
  'top/sub': 'top',
  guild: undefined,
  'guild/cell': 'guild',
  'top/web': 'top',
  'top/sub/code': 'top/sub',
} as const
type Name = keyof typeof parents
const names = Object.keys(parents) as Name[]
const projects: readonly Name[] = ['top/web', 'top/sub/code']
const groups = names.filter((name) => !projects.includes(name))
const isProject = (name: Name) => projects.includes(name)
const toReference = (name: Name) => (isProject(name) ? { project: name } : { group: name }) as { group: string }

const seed: Seed = {
  users: users.map((username) => ({ username })),
  groups: [
    { path: 'top', visibility: 'private', members: [{ user: 'ann', access: 'owner' }] },
    { path: 'top/sub', visibility: 'private', members: [{ user: 'cat', access: 'owner' }] },
    { path: 'guild', visibility: 'private', members: [{ user: 'ben', access: 'owner' }] },
    { path: 'guild/cell', visibility: 'private' },
  ],
  projects: [
    { path: 'top/web', visibility: 'private', members: [{ user: 'ben', access: 'maintainer' }] },
    {
      path: 'top/sub/code',
      visibility: 'private',
      members: [{ user: 'dan', access: 'maintainer' }],
      // Random shares rarely expire while someone depends on them.
      shares: [{ group: 'guild', access: 'reporter', expiresAt: '2026-12-03' }],
    },
  ],
}

const day = (number: number) => `2026-12-${String(number).padStart(2, '0')}`
const clock = { day: 1, now: () => Date.parse(`${day(clock.day)}T12:00:00Z`) }

interface Grant {
  readonly level: number
  /** The first day without access. */
  readonly until: number | null
}

const isActive = ({ until }: Grant) => until === null || until > clock.day

/** A container with its ancestors, nearest first. */
const lineageOf = (name: Name): Name[] => {
  const parent = parents[name]
  return parent === undefined ? [name] : [name, ...lineageOf(parent)]
}
const isBelow = (name: Name, ancestor: Name) => lineageOf(name).includes(ancestor)

const createModel = () => {
  const forever = (level: number): Grant => ({ level, until: null })
  /** By user and container. */
  const members = new Map([
    ['ann top', forever(50)],
    ['cat top/sub', forever(50)],
    ['ben guild', forever(50)],
    ['ben top/web', forever(40)],
    ['dan top/sub/code', forever(40)],
  ])
  /** By container and invited group. */
  const shares = new Map<string, Grant>([['top/sub/code guild', { level: 20, until: 3 }]])

  const activeLevels = (grant: Grant | undefined) => (grant && isActive(grant) ? [grant.level] : [])

  /** Levels of a user by membership in a container or its ancestors. */
  const memberLevels = (user: User, name: Name) =>
    lineageOf(name).flatMap((each) => activeLevels(members.get(`${user} ${each}`)))

  const levelOf = (user: User, name: Name): number => {
    const shared = lineageOf(name).flatMap((each) =>
      groups.flatMap((withGroup) =>
        activeLevels(shares.get(`${each} ${withGroup}`)).flatMap((level) =>
          memberLevels(user, withGroup).map((own) => Math.min(own, level)),
        ),
      ),
    )
    return Math.max(0, ...memberLevels(user, name), ...shared)
  }

  /** Members see a container; members of a project also see the groups above it. */
  const isVisible = (user: User, name: Name) =>
    levelOf(user, name) > 0 || projects.some((project) => isBelow(project, name) && levelOf(user, project) > 0)

  return {
    members,
    shares,
    levelOf,
    isVisible,
    allLevels: () => users.flatMap((user) => names.map((name) => ({ user, name, level: levelOf(user, name) }))),

    /** Why a caller may not manage members and shares of a container. */
    refusal(actor: User, name: Name, self = false): string | undefined {
      if (!isVisible(actor, name)) return 'not_found'
      return self || levelOf(actor, name) >= (isProject(name) ? 40 : 50) ? undefined : 'forbidden'
    },

    isGrantable: (actor: User, name: Name, level: number) =>
      level <= (isProject(name) ? 40 : 50) && level <= levelOf(actor, name),

    isBelowInherited(user: User, name: Name, level: number): boolean {
      const parent = parents[name]
      return parent !== undefined && level < Math.max(0, ...memberLevels(user, parent))
    },

    /** Whether every group that loses an owner has another one, by its own or an ancestor's membership. */
    ownersRemain(lost: readonly string[]): boolean {
      const owners = [...members].filter(([, grant]) => grant.level === 50 && isActive(grant)).map(([key]) => key)
      const groupOf = (key: string) => key.split(' ')[1] as Name
      return lost
        .filter((key) => owners.includes(key))
        .every((key) => owners.some((other) => !lost.includes(other) && isBelow(groupOf(key), groupOf(other))))
    },
  }
}

type Model = ReturnType<typeof createModel>
type Levels = ReturnType<Model['allLevels']>

const actor = fc.constantFrom(...users)
const container = fc.constantFrom(...names)
const level = fc.constantFrom(10, 20, 30, 40, 50)
const until = fc.option(fc.integer({ min: 2, max: 9 }), { freq: 2 })
const membership = { actor, container, user: actor, level, until }
const share = { actor, container, withGroup: fc.constantFrom(...groups), level, until }
const command = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), ...membership }),
  fc.record({ kind: fc.constant('update' as const), ...membership }),
  fc.record({ kind: fc.constant('remove' as const), actor, container, user: actor }),
  fc.record({ kind: fc.constant('share' as const), ...share }),
  fc.record({ kind: fc.constant('unshare' as const), actor, container, withGroup: share.withGroup }),
  fc.record({ kind: fc.constant('sleep' as const), days: fc.integer({ min: 1, max: 2 }) }),
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

const toDate = (until: number | null) => (until === null ? null : day(until))

/** The error code that the model predicts, or undefined and the change of the model. */
const predict = (model: Model, command: Exclude<Command, { kind: 'sleep' }>): string | (() => void) => {
  const { actor, container } = command
  if (command.kind === 'share' || command.kind === 'unshare') {
    const key = `${container} ${command.withGroup}`
    const refusal = model.refusal(actor, container)
    if (refusal) return refusal
    if (command.kind === 'unshare') return model.shares.has(key) ? () => model.shares.delete(key) : 'not_found'
    if (!model.isVisible(actor, command.withGroup)) return 'not_found'
    if (!model.isGrantable(actor, container, command.level) || isBelow(container, command.withGroup)) return 'invalid'
    return model.shares.has(key) ? 'conflict' : () => model.shares.set(key, command)
  }
  const key = `${command.user} ${container}`
  const current = model.members.get(key)
  const refusal = model.refusal(actor, container, command.kind === 'remove' && command.user === actor)
  if (refusal) return refusal
  if (command.kind === 'remove') {
    if (!current) return 'not_found'
    const ended = names.filter((name) => isBelow(name, container)).map((name) => `${command.user} ${name}`)
    if (!model.ownersRemain(ended)) return 'forbidden'
    return () => {
      for (const each of ended) model.members.delete(each)
    }
  }
  if (command.kind === 'add' && current && isActive(current)) return 'conflict'
  if (command.kind === 'update') {
    if (!current) return 'not_found'
    if (!model.ownersRemain([key])) return 'forbidden'
  }
  const { user, level } = command
  if (!model.isGrantable(actor, container, level) || model.isBelowInherited(user, container, level)) return 'invalid'
  return () => model.members.set(key, command)
}

const call = (forge: FakeForge, command: Exclude<Command, { kind: 'sleep' }>): Promise<unknown> => {
  const { members, shares } = forge.as(command.actor)
  const on = toReference(command.container)
  if (command.kind === 'remove') return members.remove({ ...on, user: command.user })
  if (command.kind === 'unshare') return shares.remove({ ...on, withGroup: command.withGroup })
  const grant = { accessLevel: command.level, expiresAt: toDate(command.until) }
  if (command.kind === 'share') return shares.create({ ...on, withGroup: command.withGroup, ...grant })
  return command.kind === 'add'
    ? members.add({ ...on, users: [command.user], ...grant })
    : members.update({ ...on, user: command.user, ...grant })
}

/** No one's level rises above the level that the caller had on the container of the command. */
const assertNoGain = (before: Levels, after: Levels, granted: number) => {
  for (const [at, { user, name, level }] of after.entries()) {
    const previous = before[at]?.level ?? 0
    expect(level, `level of ${user} on ${name}`).toBeLessThanOrEqual(Math.max(previous, granted))
  }
}

/** Compares what all users can see and their levels with the platform: individually, and in lists. */
const compareLevels = async (forge: FakeForge, model: Model) => {
  for (const user of users) {
    for (const name of names) {
      const { projects, groups } = forge.as(user)
      const reading = isProject(name) ? projects.get({ project: name }) : groups.get({ group: name })
      const code = model.isVisible(user, name) ? undefined : 'not_found'
      await expectOutcome<unknown>(reading, code, `${user} reads ${name} on day ${clock.day}`)
    }
    for (const minAccessLevel of [10, 20, 30, 40, 50] as const) {
      const session = forge.as(user)
      const expected = (of: readonly Name[]) => of.filter((name) => model.levelOf(user, name) >= minAccessLevel).sort()
      const listed = [
        (await session.projects.list({ minAccessLevel, perPage: 100 })).items,
        (await session.groups.list({ minAccessLevel, perPage: 100 })).items,
      ].map((items) => items.map(({ fullPath }) => fullPath).sort())
      expect(listed, `where ${user} has level ${minAccessLevel}`).toEqual([expected(projects), expected(groups)])
    }
  }
}

let forge: FakeForge
beforeAll(async () => {
  forge = await world({ seed, ports: { clock } })
})
afterAll(() => forge.close())

const start = async (): Promise<ModelRun<Command>> => {
  await forge.reset()
  clock.day = 1
  const model = createModel()
  return {
    async execute(command) {
      if (command.kind === 'sleep') {
        clock.day += command.days
        await compareLevels(forge, model)
        return true
      }
      const prediction = predict(model, command)
      const code = typeof prediction === 'string' ? prediction : undefined
      await expectOutcome(call(forge, command), code, JSON.stringify(command))
      if (typeof prediction === 'string') return false
      const before = model.allLevels()
      const granted = model.levelOf(command.actor, command.container)
      prediction()
      assertNoGain(before, model.allLevels(), granted)
      return true
    },
    finish: () => compareLevels(forge, model),
  }
}

test('members and shares give the predicted access, and never more than their grantor had', async () => {
  await checkModel({ name: 'members and shares', command, start })
}, 300_000)
