import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createPlatform,
  isPlatformError,
  type Platform,
  postgres,
  type Session,
  type Store,
  sqlite,
} from '@forgelet/core'
import { verifyCounters } from '@forgelet/core/maintenance'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { propertyRuns } from '../property-runs.ts'
import { stored } from '../stored.ts'
import { createDatabase, dropDatabase } from '../support/postgres-database.ts'
import { dialect } from '../world.ts'

/** Eight sessions on two platforms with one database run random commands at the same time. */

const users = ['ann', 'ben', 'cat', 'dan'] as const
const clients = 8
const folder = mkdtempSync(join(tmpdir(), 'forgelet-concurrency-'))
const database = `concurrency_${process.pid}`
let stores: readonly Store[]
let platforms: readonly Platform[]

const server = inject('postgresUrl')

beforeAll(async () => {
  const url = server && (await createDatabase(server, database))
  const open = (): Store => (url ? postgres(url) : sqlite(join(folder, 'forge.db')))
  stores = [open(), open()]
  platforms = stores.map((store) => createPlatform(store, { repositories: join(folder, 'repositories') }))
  for (const username of users) await getHost().users.create({ username })
})
afterAll(async () => {
  for (const platform of platforms) await platform.close()
  if (server) await dropDatabase(server, database, 'with (force)')
  rmSync(folder, { recursive: true, force: true })
})

const getPlatform = (client: number) => platforms[client % platforms.length] as Platform
const getHost = (client = 0) => getPlatform(client).as({ system: 'test' })

const user = fc.constantFrom(...users)
/** A project of the group, one of its subgroup, and one that is removed and created again. */
const project = fc.constantFrom('app', 'sub/lib', 'temporary')
const lastingProject = fc.constantFrom('app', 'sub/lib')
const container = fc.oneof(fc.record({ project: lastingProject }), fc.record({ group: fc.constantFrom('', 'sub') }))
const name = fc.constantFrom('bug', 'docs')
const issue = fc.integer({ min: 1, max: 3 })

/** An arbitrary for commands of one kind. */
const kind = <K extends string, T = unknown>(name: K, fields: { readonly [F in keyof T]: fc.Arbitrary<T[F]> }) =>
  fc.record({ kind: fc.constant(name), user, ...fields }) as unknown as fc.Arbitrary<
    { readonly kind: K; readonly user: (typeof users)[number] } & T
  >

const command = fc.oneof(
  { weight: 3, arbitrary: kind('createIssue', { project }) },
  { weight: 3, arbitrary: kind('createLabel', { container, name }) },
  { weight: 1, arbitrary: kind('promoteLabel', { project: lastingProject, name }) },
  { weight: 1, arbitrary: kind('removeLabel', { container, name }) },
  { weight: 3, arbitrary: kind('addLabel', { project: lastingProject, issue }) },
  { weight: 3, arbitrary: kind('toggle', { project: lastingProject, issue }) },
  { weight: 3, arbitrary: kind('comment', { project: lastingProject, issue, mentioned: user }) },
  { weight: 1, arbitrary: kind('discuss', { project: lastingProject, issue }) },
  { weight: 1, arbitrary: kind('createMilestone', { container, name }) },
  { weight: 1, arbitrary: kind('awardEmoji', { project: lastingProject, issue }) },
  { weight: 2, arbitrary: kind('markTodo', { project: lastingProject, issue }) },
  { weight: 2, arbitrary: kind('finishTodos', {}) },
  { weight: 1, arbitrary: kind('removeIssue', { project }) },
  { weight: 1, arbitrary: kind('join', { other: user, level: fc.constantFrom(20, 30, 40) }) },
  { weight: 1, arbitrary: kind('leave', { other: user }) },
  { weight: 1, arbitrary: kind('replaceProject', {}) },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never
type Container = { readonly project?: string; readonly group?: string }

let runs = 0

/** What the commands of one run have created. */
interface Created {
  readonly issues: { readonly project: string; readonly iid: number }[]
  readonly labels: { readonly project: string; readonly issue: number; readonly name: string }[]
  readonly notes: { readonly project: string; readonly issue: number; readonly id: number }[]
}

const createWorld = async (): Promise<string> => {
  const group = `team${runs++}`
  const host = getHost()
  await host.groups.create({ path: group, name: group })
  await host.groups.create({ path: 'sub', name: 'Sub', parent: group })
  for (const [namespace, path] of [
    [group, 'app'],
    [`${group}/sub`, 'lib'],
    [group, 'temporary'],
  ] as const) {
    await host.projects.create({ namespace, path, name: path })
  }
  await host.members.add({ group, users: ['ann'], accessLevel: 50 })
  await host.members.add({ group, users: ['ben'], accessLevel: 40 })
  for (const project of [`${group}/app`, `${group}/sub/lib`]) {
    for (const title of ['First', 'Second', 'Third']) await host.issues.create({ project, title, author: 'ann' })
  }
  return group
}

const execute = async (group: string, created: Created, client: number, command: Command, id: string) => {
  const session: Session = getPlatform(client).as({ user: command.user })
  const host = getHost(client)
  const locate = (at: Container) =>
    at.project === undefined
      ? ({ group: at.group ? `${group}/${at.group}` : group } as const)
      : ({ project: `${group}/${at.project}` } as const)
  const path = 'project' in command ? `${group}/${command.project}` : ''
  switch (command.kind) {
    case 'createIssue': {
      const { iid } = await host.issues.create({
        project: path,
        title: id,
        author: command.user,
        assignees: [command.user],
      })
      created.issues.push({ project: path, iid })
      return
    }
    case 'createLabel':
      await host.labels.create({ ...locate(command.container), name: command.name, color: 'red' })
      return
    case 'promoteLabel':
      await host.labels.promote({ project: path, name: command.name })
      return
    case 'removeLabel':
      await host.labels.remove({ ...locate(command.container), name: command.name })
      return
    case 'addLabel': {
      // Replaces all labels by those that it has read and this one.
      await session.issues.update({ project: path, issue: command.issue, addLabels: [id] })
      created.labels.push({ project: path, issue: command.issue, name: id })
      return
    }
    case 'toggle': {
      const { state } = await session.issues.get({ project: path, issue: command.issue })
      const stateEvent = state === 'opened' ? 'close' : 'reopen'
      await session.issues.update({ project: path, issue: command.issue, stateEvent })
      return
    }
    case 'comment': {
      const body = `${id} @${command.mentioned}`
      const note = await stored(session.notes.create({ project: path, issue: command.issue, body }))
      created.notes.push({ project: path, issue: command.issue, id: note.id })
      return
    }
    case 'discuss':
      await session.discussions.create({ project: path, issue: command.issue, body: id })
      return
    case 'createMilestone':
      await host.milestones.create({ ...locate(command.container), title: command.name })
      return
    case 'awardEmoji':
      await session.awardEmoji.create({ project: path, issue: command.issue, name: 'tada' })
      return
    case 'markTodo':
      await session.todos.create({ project: path, issue: command.issue })
      return
    case 'finishTodos': {
      const { items } = await session.todos.list()
      const [first] = items
      if (first && client % 2) await session.todos.finish({ todo: first.id })
      else await session.todos.finish({})
      return
    }
    case 'removeIssue': {
      const { items } = await host.issues.list({ project: path })
      const last = items.find(({ iid }) => iid > 3)
      if (last) await host.issues.remove({ project: path, issue: last.iid })
      return
    }
    case 'join':
      await host.members.add({ group, users: [command.other], accessLevel: command.level })
      return
    case 'leave':
      if (command.other !== 'ann') await host.members.remove({ group, user: command.other })
      return
    case 'replaceProject':
      await host.projects.remove({ project: `${group}/temporary` })
      await host.projects.create({ namespace: group, path: 'temporary', name: 'temporary' })
  }
}

/** Refusals that some order of the commands explains. */
const expectedCodes = new Set(['not_found', 'forbidden', 'conflict', 'invalid'])

const executeExpectingOrder = async (...parameters: Parameters<typeof execute>): Promise<boolean> => {
  try {
    await execute(...parameters)
    return true
  } catch (error) {
    if (!isPlatformError(error) || !expectedCodes.has(error.code)) throw error
    return false
  }
}

const listAll = async <T>(
  read: (page: number) => Promise<{ readonly items: readonly T[]; readonly hasNext: boolean }>,
) => {
  const items: T[] = []
  for (let page = 1; ; page++) {
    const found = await read(page)
    items.push(...found.items)
    if (!found.hasNext) return items
  }
}

const countDuplicates = (values: readonly (string | number)[]) => values.length - new Set(values).size

/** Asserts what holds after commands that ran one after another. */
const assertConsistent = async (group: string, created: Created) => {
  const host = getHost(1)
  for (const project of [`${group}/app`, `${group}/sub/lib`]) {
    const own = created.issues.filter((entry) => entry.project === project).map(({ iid }) => iid)
    expect(
      own.sort((a, b) => a - b),
      `iids of ${project}`,
    ).toEqual(own.map((_, index) => index + 4))

    const labels = await listAll((page) => host.labels.list({ project, page, perPage: 100 }))
    // A label of a project may have the name of a label of a group above only if it is older.
    const ownLabels = labels.filter(({ isProjectLabel }) => isProjectLabel)
    expect(countDuplicates(ownLabels.map(({ name }) => name)), `own labels of ${project}`).toBe(0)
    const late = ownLabels.filter(({ id, name }) => labels.some((other) => other.name === name && other.id < id))
    expect(late, `labels of ${project} that an older one forbids`).toEqual([])

    for (const issue of [1, 2, 3]) {
      const at = { project, issue }
      const isHere = (entry: { readonly project: string; readonly issue: number }) =>
        entry.project === project && entry.issue === issue
      const { labels: names, state } = await host.issues.get(at)
      const lost = created.labels.filter((entry) => isHere(entry) && !names.includes(entry.name))
      expect(lost, 'labels that another update has overwritten').toEqual([])

      const notes = await listAll((page) =>
        host.notes.list({ ...at, page, perPage: 100, sort: 'asc', orderBy: 'created_at' }),
      )
      const ids = notes.map(({ id }) => id)
      expect(created.notes.filter((entry) => isHere(entry) && !ids.includes(entry.id))).toEqual([])
      const changes = notes.filter(({ system, body }) => system && /^(?:closed|reopened)$/.test(body))
      const bodies = changes.sort((a, b) => a.id - b.id).map(({ body }) => body)
      expect(bodies, `states of issue ${issue}`).toEqual(bodies.map((_, index) => (index % 2 ? 'reopened' : 'closed')))
      expect(state).toBe(bodies.length % 2 ? 'closed' : 'opened')
    }
  }
  for (const username of users) {
    const { todos } = getPlatform(1).as({ user: username })
    const pending = await listAll((page) => todos.list({ page, perPage: 100 }))
    // Each mention opens an item of its own; every other action has one for a target.
    const single = pending.filter(({ actionName }) => !/^(?:mentioned|directly_addressed)$/.test(actionName))
    const causes = single.map(({ actionName, targetType, target }) => `${actionName} ${targetType} ${target.id}`)
    expect(countDuplicates(causes), `to-dos of ${username}`).toBe(0)
    expect((await todos.count()).pending, `number of to-dos of ${username}`).toBe(pending.length)
  }
  for (const store of stores) expect(await store.write((handle) => verifyCounters(handle))).toEqual([])
}

test('concurrent commands have the effects of commands that run one after another', { timeout: 240_000 }, async () => {
  let executed = 0
  let succeeded = 0
  const queue = fc.array(command, { minLength: 8, maxLength: 16, size: 'max' })
  await fc.assert(
    fc.asyncProperty(fc.array(queue, { minLength: clients, maxLength: clients }), async (queues) => {
      const group = await createWorld()
      const created: Created = { issues: [], labels: [], notes: [] }
      await Promise.all(
        queues.map(async (commands, client) => {
          for (const [index, command] of commands.entries()) {
            executed++
            if (await executeExpectingOrder(group, created, client, command, `c${client}n${index}`)) succeeded++
          }
        }),
      )
      await assertConsistent(group, created)
    }),
    { ...propertyRuns(dialect === 'sqlite' ? 4 : 3), endOnFailure: true },
  )
  console.log(`concurrency: ${executed} commands on ${dialect}, ${succeeded} of them succeeded`)
  expect(succeeded).toBeGreaterThan(executed / 3)
})
