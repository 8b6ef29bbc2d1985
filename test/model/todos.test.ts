import type { FakeForge, Seed } from '@forgelet/fixtures'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../world.ts'
import { checkModel, expectOutcome, type ModelRun } from './check-model.ts'

/** Mentions, assignments and marks create to-dos on the issues of a private project, whose members change. */

const users = ['ann', 'ben', 'cat', 'dan'] as const
type User = (typeof users)[number]
const project = 'team/app'
const titles = ['First', 'Second', 'Third'] as const

const seed: Seed = {
  users: users.map((username) => ({ username })),
  groups: [{ path: 'team', visibility: 'private' }],
  projects: [
    {
      path: project,
      visibility: 'private',
      members: [
        { user: 'ann', access: 'maintainer' },
        { user: 'ben', access: 'reporter' },
        { user: 'cat', access: 'guest' },
      ],
      issues: titles.map((title) => ({ title, author: 'ann' })),
    },
  ],
}

interface ModelNote {
  readonly body: string
  readonly author: User
  readonly internal: boolean
}

interface ModelTodo {
  readonly user: User
  readonly author: User
  readonly action: string
  readonly issue: number
  readonly note: ModelNote | undefined
  done: boolean
}

const actor = fc.constantFrom(...users)
const issue = fc.integer({ min: 1, max: titles.length })
const someUsers = fc.uniqueArray(actor, { maxLength: 3 })
const noteFields = { actor, issue, mentioned: someUsers, direct: fc.boolean(), internal: fc.boolean() }
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('note' as const), ...noteFields }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('assign' as const), actor, issue, assignees: someUsers }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mark' as const), actor, issue }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('done' as const), actor, pick: fc.nat(100) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('allDone' as const), actor }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeIssue' as const), issue }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('level' as const), actor, level: fc.constantFrom(0, 10, 20, 30) }),
  },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never
type CommandOf<K extends Command['kind']> = Extract<Command, { readonly kind: K }>

let forge: FakeForge
beforeAll(async () => {
  forge = await world({ seed })
})
afterAll(() => forge.close())

const createRun = () => {
  const levels = new Map<User, number>([
    ['ann', 40],
    ['ben', 20],
    ['cat', 10],
    ['dan', 0],
  ])
  const levelOf = (user: User) => levels.get(user) ?? 0
  const issues = new Set(titles.map((_, at) => at + 1))
  const assignees = new Map<number, readonly User[]>()
  let todos: ModelTodo[] = []

  const canReadNote = (user: User, { internal, author }: ModelNote) =>
    !internal || levelOf(user) >= 20 || author === user
  const pendingOf = (user: User) => todos.filter((todo) => todo.user === user && !todo.done)
  const finish = (user: User, at: number) => {
    for (const todo of pendingOf(user)) if (todo.issue === at) todo.done = true
  }
  /** A user has at most one pending assignment of an issue, marks only issues without a pending to-do, and has one for each mention. */
  const open = (todo: Omit<ModelTodo, 'done'>): boolean => {
    const pending = pendingOf(todo.user).filter(({ issue }) => issue === todo.issue)
    if (todo.action === 'assigned' && pending.some(({ action }) => action === 'assigned')) return false
    if (todo.action === 'marked' && pending.length) return false
    todos.push({ ...todo, done: false })
    return true
  }
  /** Why a user cannot use an issue. */
  const refusal = (user: User, at: number) => (levelOf(user) > 0 && issues.has(at) ? undefined : 'not_found')

  const write = async ({ actor, issue, mentioned, direct, internal }: CommandOf<'note'>) => {
    const body = `${direct ? '' : 'Look: '}${mentioned.map((user) => `@${user}`).join(' ')} please`
    const forbidden = internal && levelOf(actor) < 20 ? 'forbidden' : undefined
    const call = forge.as(actor).notes.create({ project, issue, body, internal })
    if (!(await expectOutcome(call, refusal(actor, issue) ?? forbidden, `${actor} comments`))) return false
    const note = { body, author: actor, internal }
    finish(actor, issue)
    for (const user of mentioned) {
      if (levelOf(user) === 0 || !canReadNote(user, note)) continue
      open({ user, author: actor, action: direct ? 'directly_addressed' : 'mentioned', issue, note })
    }
    return true
  }

  const assign = async ({ actor, issue, assignees: assigned }: CommandOf<'assign'>) => {
    // Without the role, the author may change the issue, but not its assignees.
    const code = refusal(actor, issue) ?? (levelOf(actor) >= 20 ? undefined : 'forbidden')
    const call = forge.as(actor).issues.update({ project, issue, assignees: assigned })
    if (!(await expectOutcome(call, code, `${actor} assigns`))) return false
    const before = assignees.get(issue) ?? []
    const removed = before.filter((user) => !assigned.includes(user))
    const added = assigned.filter((user) => !before.includes(user))
    // An assignment to oneself is no answer.
    if (removed.length > 0 || added.some((user) => user !== actor)) finish(actor, issue)
    // In the order of their ids.
    for (const user of users) {
      if (!assigned.includes(user) || before.includes(user)) continue
      open({ user, author: actor, action: 'assigned', issue, note: undefined })
    }
    assignees.set(issue, assigned)
    return true
  }

  const mark = async ({ actor, issue }: CommandOf<'mark'>) => {
    const call = forge.as(actor).todos.create({ project, issue })
    const marked = await expectOutcome(call, refusal(actor, issue), `${actor} marks`)
    if (!marked) return false
    const changed = open({ user: actor, author: actor, action: 'marked', issue, note: undefined })
    expect(marked.changed, `a new to-do of ${actor}`).toBe(changed)
    return true
  }

  /** The user's to-dos with readable targets, newest first. */
  const visibleOf = (user: User, done: boolean) =>
    levelOf(user) === 0 ? [] : todos.filter((todo) => todo.user === user && todo.done === done).reverse()

  const finishOne = async ({ actor, pick }: CommandOf<'done'>) => {
    const pending = visibleOf(actor, false)
    const { items } = await forge.as(actor).todos.list()
    const at = pick % (pending.length || 1)
    const [listed, todo] = [items[at], pending[at]]
    if (!listed || !todo) return false
    for (const other of users.filter((user) => user !== actor)) {
      await expectOutcome(forge.as(other).todos.finish({ todo: listed.id }), 'not_found', `${other} finishes`)
    }
    expect(await forge.as(actor).todos.finish({ todo: listed.id })).toMatchObject({ state: 'done' })
    todo.done = true
    return true
  }

  const finishAll = async ({ actor }: CommandOf<'allDone'>) => {
    await forge.as(actor).todos.finish({})
    // Also those whose targets the user can no longer read.
    for (const todo of pendingOf(actor)) todo.done = true
    return true
  }

  const removeIssue = async ({ issue }: CommandOf<'removeIssue'>) => {
    if (!issues.delete(issue)) return false
    await forge.host.issues.remove({ project, issue })
    todos = todos.filter((todo) => todo.issue !== issue)
    return true
  }

  const setLevel = async ({ actor: user, level }: CommandOf<'level'>) => {
    const { members } = forge.host
    const before = levelOf(user)
    if (level === 0 && before > 0) await members.remove({ project, user })
    if (level > 0 && before === 0) await members.add({ project, users: [user], accessLevel: level })
    if (level > 0 && before > 0) await members.update({ project, user, accessLevel: level })
    levels.set(user, level)
    return true
  }

  const compare = async () => {
    for (const user of users) {
      const session = forge.as(user).todos
      for (const state of ['pending', 'done'] as const) {
        const expected = visibleOf(user, state === 'done').map(({ author, action, issue, note }) => ({
          author,
          action,
          issue,
          body: note && canReadNote(user, note) ? note.body : titles[issue - 1],
        }))
        const { items } = await session.list({ state, perPage: 100 })
        const listed = items.map(({ author, actionName, target, body }) => ({
          author: author.username,
          action: actionName,
          issue: 'iid' in target ? target.iid : 0,
          body,
        }))
        expect(listed, `${state} to-dos of ${user}`).toEqual(expected)
        expect((await session.count())[state], `number of ${state} to-dos of ${user}`).toBe(expected.length)
      }
    }
  }

  const execute = (command: Command): Promise<boolean> => {
    switch (command.kind) {
      case 'note':
        return write(command)
      case 'assign':
        return assign(command)
      case 'mark':
        return mark(command)
      case 'done':
        return finishOne(command)
      case 'allDone':
        return finishAll(command)
      case 'removeIssue':
        return removeIssue(command)
      case 'level':
        return setLevel(command)
    }
  }

  return { execute, finish: compare }
}

const start = async (): Promise<ModelRun<Command>> => {
  await forge.reset()
  return createRun()
}

test('users have the predicted to-dos', async () => {
  await checkModel({ name: 'to-dos', command, start })
}, 300_000)
