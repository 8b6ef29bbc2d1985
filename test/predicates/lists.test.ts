import { createPlatform, type Platform, type Session } from '@forgelet/core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPlatformError } from '../../packages/core/src/kernel/errors.ts'
import type { Handle, Store } from '../../packages/core/src/kernel/store.ts'
import { reportFigures } from '../figures.ts'
import { propertyFactor, propertyRuns } from '../property-runs.ts'
import { dialect, emptyStore } from '../world.ts'
import { eventsOf, notesOf, toNoteableRef } from './derived-rows.ts'
import { insertWorld } from './insert-world.ts'
import { now, type RandomWorld, randomWorld } from './random-world.ts'

/**
 * List operations in random worlds: each list contains exactly the objects that the same caller can get individually, and its
 * total is their number. All calls go through sessions, so the test covers the operations and not only their conditions.
 */

/** By default every run has the same worlds. */
const { numRuns: worldCount, seed = 20_261_121 } = propertyRuns(dialect === 'sqlite' ? 40 : 10)
/** In milliseconds. */
const timeLimit = 20_000 * Math.max(1, propertyFactor)

let store: Store
let platform: Platform
beforeAll(async () => {
  store = await emptyStore()
  platform = createPlatform(store, { ports: { clock: { now: () => Date.parse(now) } } })
})
afterAll(() => store.close())

const tables = [
  ...['containerRepository', 'note', 'todo', 'event', 'epic', 'snippet', 'mergeRequest', 'issueAssignee', 'issue'],
  ...['share', 'member', 'project', 'namespaceLineage', 'namespace', 'user'],
] as const

/** Inserts a to-do for every user and target, and a container repository for every project. */
const insertMoreRows = async ({ db }: Handle, { users, projects, issues, mergeRequests, epics }: RandomWorld) => {
  const stamps = { createdAt: now, updatedAt: now }
  const noTarget = { projectId: null, groupId: null, issueId: null, mergeRequestId: null, epicId: null, noteId: null }
  const targets = [
    ...issues.map(({ id, projectId }) => ({ issueId: id, projectId })),
    ...mergeRequests.map(({ id, projectId }) => ({ mergeRequestId: id, projectId })),
    ...epics.map(({ id, groupId }) => ({ epicId: id, groupId })),
  ]
  const todos = users.flatMap(({ id: userId }) =>
    targets.map((target) => ({
      ...noTarget,
      ...target,
      userId,
      authorId: 1,
      action: 'marked' as const,
      state: 'pending' as const,
      ...stamps,
    })),
  )
  if (todos.length) await db.insertInto('todo').values(todos).execute()
  const images = projects.map(({ id }) => ({ projectId: id, name: '', cleanupAskedAt: null, createdAt: now }))
  await db.insertInto('containerRepository').values(images).execute()
  // The last user becomes an administrator.
  await db.updateTable('user').set({ admin: true }).where('id', '=', users.length).execute()
}

const within = async (world: RandomWorld, work: () => Promise<void>) => {
  await store.write(async (handle) => {
    await insertWorld(handle, world)
    await insertMoreRows(handle, world)
  })
  try {
    await work()
  } finally {
    await store.write(async ({ db }) => {
      for (const table of tables) await db.deleteFrom(table as 'user').execute()
    })
  }
}

/** Whether a call succeeds; not found, forbidden and unauthenticated are failures. */
const succeeds = async (call: () => Promise<unknown>): Promise<boolean> => {
  try {
    await call()
    return true
  } catch (error) {
    if (isPlatformError(error) && ['not_found', 'forbidden', 'unauthenticated'].includes(error.code)) return false
    throw error
  }
}

/** Whether the caller may read the repository of a visible project. Without commits a permitted call fails with not_found. */
const isPermitted = async (call: () => Promise<unknown>): Promise<boolean> => {
  try {
    await call()
  } catch (error) {
    if (isPlatformError(error)) return error.code === 'not_found'
    throw error
  }
  return true
}

const filterAsync = async <T extends { readonly id: number }>(
  all: readonly T[],
  test: (item: T) => Promise<boolean>,
) => {
  const passed: T[] = []
  for (const item of all) if (await test(item)) passed.push(item)
  return passed
}

const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b)

interface ListResult {
  readonly total: number | undefined
  readonly items: readonly { readonly id: number }[]
}

/** The ids of a list with one page; also checks its total. */
const listedIds = ({ items, total }: ListResult) => {
  expect(total).toBe(items.length)
  return ids(items)
}

const all = { perPage: 100 } as const

/** All objects that the session can get individually. */
const readVisible = async (session: Session, world: RandomWorld) => {
  const projects = await filterAsync(world.projects, ({ id }) => succeeds(() => session.projects.get({ project: id })))
  const groups = await filterAsync(world.groups, ({ id }) => succeeds(() => session.groups.get({ group: id })))
  const issues = await filterAsync(world.issues, ({ id, projectId }) =>
    succeeds(() => session.issues.get({ project: projectId, issue: id })),
  )
  const mergeRequests = await filterAsync(world.mergeRequests, ({ id, projectId }) =>
    succeeds(() => session.mergeRequests.get({ project: projectId, mergeRequest: id })),
  )
  const epics = await filterAsync(world.epics, ({ id, groupId }) =>
    succeeds(() => session.epics.get({ group: groupId, epic: id })),
  )
  const snippets = await filterAsync(world.snippets, ({ id }) => succeeds(() => session.snippets.get({ snippet: id })))
  const code = await filterAsync(projects, ({ id }) =>
    isPermitted(() => session.repository.listTree({ project: id, ...all })),
  )
  const notes = await filterAsync(notesOf(world), ({ id, internal: _internal, authorId: _authorId, ...item }) =>
    succeeds(() => session.notes.get({ ...toNoteableRef(item), note: id })),
  )
  return { projects, groups, issues, mergeRequests, epics, snippets, code, notes }
}

type Visible = Awaited<ReturnType<typeof readVisible>>

const has = (rows: readonly { readonly id: number }[], id: number | null) => rows.some((row) => row.id === id)

/** The ids of a group and its ancestors. */
const lineage = (world: RandomWorld, start: number | null): number[] => {
  const group = world.groups.find((one) => one.id === start)
  return group ? [group.id, ...lineage(world, group.parentId)] : []
}

const visibleEvents = (world: RandomWorld, visible: Visible) =>
  eventsOf(world).filter(({ action, projectId, issueId, mergeRequestId, snippetId, noteId }) => {
    if (noteId !== null) return has(visible.notes, noteId)
    if (issueId !== null) return has(visible.issues, issueId)
    if (mergeRequestId !== null) return has(visible.mergeRequests, mergeRequestId)
    if (snippetId !== null) return has(visible.snippets, snippetId)
    return has(action === 'pushed' ? visible.code : visible.projects, projectId)
  })

const counts = { worlds: 0, rows: 0 }

const expectIds = (actual: readonly number[], expected: readonly { readonly id: number }[], what: string) => {
  expect(actual, what).toEqual(ids(expected))
  counts.rows += actual.length
}

const compareProjects = async (session: Session, world: RandomWorld, visible: Visible, caller: string) => {
  expectIds(listedIds(await session.projects.list(all)), visible.projects, `projects of ${caller}`)
  const options = { allAvailable: true, ...all }
  const open = (group: (typeof world.groups)[number]) => caller !== 'anonymous' || group.visibility === 'public'
  expectIds(listedIds(await session.groups.list(options)), visible.groups.filter(open), `groups of ${caller}`)
  for (const { id } of visible.groups) {
    const below = visible.groups.filter((group) => group.parentId === id && open(group))
    expectIds(
      listedIds(await session.groups.list({ parent: id, ...options })),
      below,
      `groups below ${id} of ${caller}`,
    )
    const inside = visible.projects.filter(({ namespaceId }) => namespaceId === id)
    const shares = world.shares.filter(
      ({ withGroupId, expiresAt }) => withGroupId === id && (expiresAt === null || expiresAt > now.slice(0, 10)),
    )
    const shared = visible.projects.filter((project) => shares.some(({ projectId }) => projectId === project.id))
    const own = { group: id, withShared: false, ...all }
    expectIds(listedIds(await session.projects.list(own)), inside, `projects of group ${id} of ${caller}`)
    expectIds(
      listedIds(await session.projects.list({ group: id, ...all, onlyShared: true })),
      shared,
      `shared with ${id} of ${caller}`,
    )
    const details = await session.groups.get({ group: id })
    expectIds(ids(details.projects ?? []), inside, `details of group ${id} of ${caller}`)
    expectIds(ids(details.sharedProjects ?? []), shared, `details of group ${id} of ${caller}`)
  }
}

const compareEvents = async (session: Session, world: RandomWorld, visible: Visible, caller: string) => {
  const events = visibleEvents(world, visible)
  for (const { id } of visible.projects) {
    const here = events.filter(({ projectId }) => projectId === id)
    expectIds(
      listedIds(await session.events.list({ project: id, ...all })),
      here,
      `events of project ${id} of ${caller}`,
    )
  }
  // The first user is the author of all events.
  expectIds(listedIds(await session.events.list({ user: 1, ...all })), events, `events by the first user, of ${caller}`)
  if (caller === 'anonymous') return
  const mine = caller === 'user1' ? events : []
  expectIds(listedIds(await session.events.list(all)), mine, `own events of ${caller}`)
  const home = ids((await session.projects.list({ membership: true, ...all })).items)
  const around = events.filter(({ projectId }) => home.includes(projectId))
  expectIds(listedIds(await session.events.list({ scope: 'all', ...all })), around, `events around ${caller}`)
}

const compareIssuables = async (session: Session, world: RandomWorld, visible: Visible, caller: string) => {
  for (const { id } of visible.projects) {
    const issues = await succeeds(() => session.issues.list({ project: id, ...all }))
    if (!issues) continue
    const here = visible.issues.filter(({ projectId }) => projectId === id)
    expectIds(
      listedIds(await session.issues.list({ project: id, ...all })),
      here,
      `issues of project ${id} of ${caller}`,
    )
  }
  for (const { id, projectId } of world.issues) {
    const open = await succeeds(() => session.notes.list({ project: projectId, issue: id, ...all }))
    expect(open, `notes of issue ${id} of ${caller}`).toBe(has(visible.issues, id))
    if (!open) continue
    const here = visible.notes.filter(({ issueId }) => issueId === id)
    const listed = await session.notes.list({ project: projectId, issue: id, ...all })
    expectIds(listedIds(listed), here, `notes of issue ${id} of ${caller}`)
    const { userNotesCount } = await session.issues.get({ project: projectId, issue: id })
    expect(userNotesCount, `number of notes of issue ${id} of ${caller}`).toBe(here.length)
  }
  const publicOnes = world.snippets.filter(({ projectId, visibility }) => projectId === null && visibility === 'public')
  expectIds(
    listedIds(await session.snippets.list({ ...all, public: true })),
    publicOnes,
    `public snippets for ${caller}`,
  )
  if (caller === 'anonymous') return
  const own = visible.snippets.filter(({ authorId }) => `user${authorId}` === caller)
  expectIds(listedIds(await session.snippets.list(all)), own, `snippets of ${caller}`)
  const { total, items } = await session.todos.list(all)
  const targets = [...visible.issues, ...visible.mergeRequests, ...visible.epics]
  expect([total, items.length], `todos of ${caller}`).toEqual([targets.length, targets.length])
  const count = async (call: Promise<{ all: number }>, expected: number, where: string) =>
    expect((await call).all, `issues ${where} that ${caller} counts`).toBe(expected)
  await count(session.issueStatistics.get({ scope: 'all' }), visible.issues.length, 'everywhere')
  for (const { id } of visible.projects) {
    const here = visible.issues.filter(({ projectId }) => projectId === id)
    await count(session.issueStatistics.get({ project: id }), here.length, `of project ${id}`)
  }
  for (const { id } of visible.groups) {
    const inside = world.projects.filter(({ namespaceId }) => lineage(world, namespaceId).includes(id))
    const here = visible.issues.filter(({ projectId }) => has(inside, projectId))
    await count(session.issueStatistics.get({ group: id }), here.length, `below group ${id}`)
  }
}

const compareImages = async (session: Session, world: RandomWorld, visible: Visible, caller: string) => {
  const listable = async (project: number) => succeeds(() => session.containerRepositories.list({ project, ...all }))
  for (const { id } of visible.groups) {
    if (!(await succeeds(() => session.containerRepositories.list({ group: id, ...all })))) continue
    const below = world.projects.filter(({ namespaceId }) => lineage(world, namespaceId).includes(id))
    const open = await filterAsync(below, (project) => listable(project.id))
    const { items } = await session.containerRepositories.list({ group: id, ...all })
    expectIds(
      items.map(({ projectId }) => projectId).sort((a, b) => a - b),
      open,
      `images below group ${id} of ${caller}`,
    )
  }
}

test('lists contain exactly the objects that can be read individually', async () => {
  await fc.assert(
    fc.asyncProperty(randomWorld, (world) =>
      within(world, async () => {
        counts.worlds++
        const users = world.users.map(({ id }) => [`user${id}`, platform.as({ user: id })] as const)
        for (const [caller, session] of [['anonymous', platform] as const, ...users]) {
          const visible = await readVisible(session, world)
          await compareProjects(session, world, visible, caller)
          await compareEvents(session, world, visible, caller)
          await compareIssuables(session, world, visible, caller)
          await compareImages(session, world, visible, caller)
        }
      }),
    ),
    { seed, numRuns: worldCount, interruptAfterTimeLimit: timeLimit, markInterruptAsFailure: false },
  )
  reportFigures(`lists on ${dialect}`, { worlds: counts.worlds, 'rows in lists': counts.rows })
  expect(counts.worlds).toBeGreaterThanOrEqual(3)
  expect(counts.rows).toBeGreaterThan(100)
}, 120_000)
