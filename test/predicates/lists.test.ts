import { createPlatform, type Platform, type Session } from '@forgelet/core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPlatformError } from '../../packages/core/src/kernel/errors.ts'
import type { Handle, Store } from '../../packages/core/src/kernel/store.ts'
import { dialect, emptyStore } from '../world.ts'
import { buildWorld } from './build-world.ts'
import { eventsOf } from './derived-rows.ts'
import { now, type RandomWorld, randomWorld } from './random-world.ts'

/**
 * Lists as people ask for them, in random worlds: each holds exactly what the same person can get one by one, and its total
 * counts exactly that. What is asked goes through sessions, so what is tested is the list itself and not its condition.
 */

const seed = Number(process.env.FORGELET_WORLD_SEED ?? 20_261_121)
const wanted = dialect === 'sqlite' ? 40 : 10
const patience = 20_000

let store: Store
let platform: Platform
beforeAll(async () => {
  store = await emptyStore()
  platform = createPlatform(store, { ports: { clock: { now: () => Date.parse(now) } } })
})
afterAll(() => store.close())

const filled = [
  ...['containerRepository', 'note', 'todo', 'event', 'epic', 'snippet', 'mergeRequest', 'issueAssignee', 'issue'],
  ...['share', 'member', 'project', 'namespaceLineage', 'namespace', 'user'],
] as const

/** Todos of everybody on everything, a note and a repository of images wherever there can be one. */
const addMore = async ({ db }: Handle, { users, projects, issues, mergeRequests, epics }: RandomWorld) => {
  const stamps = { createdAt: now, updatedAt: now }
  const nothing = { projectId: null, groupId: null, issueId: null, mergeRequestId: null, epicId: null, noteId: null }
  const targets = [
    ...issues.map(({ id, projectId }) => ({ issueId: id, projectId })),
    ...mergeRequests.map(({ id, projectId }) => ({ mergeRequestId: id, projectId })),
    ...epics.map(({ id, groupId }) => ({ epicId: id, groupId })),
  ]
  const todos = users.flatMap(({ id: userId }) =>
    targets.map((target) => ({
      ...nothing,
      ...target,
      userId,
      authorId: 1,
      action: 'marked' as const,
      state: 'pending' as const,
      ...stamps,
    })),
  )
  if (todos.length) await db.insertInto('todo').values(todos).execute()
  const notes = issues.map(({ id }) => ({ issueId: id, mergeRequestId: null, snippetId: null, epicId: null }))
  if (notes.length) {
    await db
      .insertInto('note')
      .values(notes.map((note) => ({ ...note, authorId: 1, body: 'text', system: false, ...stamps })))
      .execute()
  }
  const images = projects.map(({ id }) => ({ projectId: id, name: '', cleanupAskedAt: null, createdAt: now }))
  await db.insertInto('containerRepository').values(images).execute()
  // Personal namespaces keep their kind, so the last user is free to become an administrator.
  await db.updateTable('user').set({ admin: true }).where('id', '=', users.length).execute()
}

const within = async (world: RandomWorld, work: () => Promise<void>) => {
  await store.write(async (handle) => {
    await buildWorld(handle, world)
    await addMore(handle, world)
  })
  try {
    await work()
  } finally {
    await store.write(async ({ db }) => {
      for (const table of filled) await db.deleteFrom(table as 'user').execute()
    })
  }
}

/** Whether a call succeeds: what is missing and what is refused are both kept out. */
const answers = async (call: () => Promise<unknown>): Promise<boolean> => {
  try {
    await call()
    return true
  } catch (error) {
    if (isPlatformError(error) && ['not_found', 'forbidden', 'unauthenticated'].includes(error.code)) return false
    throw error
  }
}

/** Whether the caller may ask, of something that is seen: there are no commits, so nothing is found. */
const notRefused = async (call: () => Promise<unknown>): Promise<boolean> => {
  try {
    await call()
  } catch (error) {
    if (isPlatformError(error)) return error.code === 'not_found'
    throw error
  }
  return true
}

const those = async <T extends { readonly id: number }>(all: readonly T[], test: (one: T) => Promise<boolean>) => {
  const found: T[] = []
  for (const one of all) if (await test(one)) found.push(one)
  return found
}

const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b)

interface Listed {
  readonly total: number | undefined
  readonly items: readonly { readonly id: number }[]
}

/** A list of at most one page must be as long as it says. */
const listed = ({ items, total }: Listed) => {
  expect(total).toBe(items.length)
  return ids(items)
}

const all = { perPage: 100 } as const

/** Everything that a person sees when asking for it by itself. */
const seenBy = async (session: Session, world: RandomWorld) => {
  const projects = await those(world.projects, ({ id }) => answers(() => session.projects.get({ project: id })))
  const groups = await those(world.groups, ({ id }) => answers(() => session.groups.get({ group: id })))
  const issues = await those(world.issues, ({ id, projectId }) =>
    answers(() => session.issues.get({ project: projectId, issue: id })),
  )
  const mergeRequests = await those(world.mergeRequests, ({ id, projectId }) =>
    answers(() => session.mergeRequests.get({ project: projectId, mergeRequest: id })),
  )
  const epics = await those(world.epics, ({ id, groupId }) =>
    answers(() => session.epics.get({ group: groupId, epic: id })),
  )
  const snippets = await those(world.snippets, ({ id }) => answers(() => session.snippets.get({ snippet: id })))
  const code = await those(projects, ({ id }) => notRefused(() => session.repository.tree({ project: id, ...all })))
  return { projects, groups, issues, mergeRequests, epics, snippets, code }
}

type Seen = Awaited<ReturnType<typeof seenBy>>

const has = (rows: readonly { readonly id: number }[], id: number | null) => rows.some((row) => row.id === id)

/** A group and those above it. */
const lineage = (world: RandomWorld, start: number | null): number[] => {
  const group = world.groups.find((one) => one.id === start)
  return group ? [group.id, ...lineage(world, group.parentId)] : []
}

const eventsSeen = (world: RandomWorld, seen: Seen) =>
  eventsOf(world).filter(({ action, projectId, issueId, mergeRequestId, snippetId }) => {
    if (issueId !== null) return has(seen.issues, issueId)
    if (mergeRequestId !== null) return has(seen.mergeRequests, mergeRequestId)
    if (snippetId !== null) return has(seen.snippets, snippetId)
    return has(action === 'pushed' ? seen.code : seen.projects, projectId)
  })

const counts = { worlds: 0, rows: 0 }

const same = (found: readonly number[], expected: readonly { readonly id: number }[], what: string) => {
  expect(found, what).toEqual(ids(expected))
  counts.rows += found.length
}

const compareProjects = async (session: Session, world: RandomWorld, seen: Seen, who: string) => {
  same(listed(await session.projects.list(all)), seen.projects, `projects of ${who}`)
  const known = { allAvailable: true, ...all }
  const open = (group: (typeof world.groups)[number]) => who !== 'nobody' || group.visibility === 'public'
  same(listed(await session.groups.list(known)), seen.groups.filter(open), `groups of ${who}`)
  for (const { id } of seen.groups) {
    const below = seen.groups.filter((group) => group.parentId === id && open(group))
    same(listed(await session.groups.subgroups({ group: id, ...known })), below, `groups below ${id} of ${who}`)
    const inside = seen.projects.filter(({ namespaceId }) => namespaceId === id)
    const shares = world.shares.filter(
      ({ withGroupId, expiresAt }) => withGroupId === id && (expiresAt === null || expiresAt > now.slice(0, 10)),
    )
    const shared = seen.projects.filter((project) => shares.some(({ projectId }) => projectId === project.id))
    const own = { group: id, withShared: false, ...all }
    same(listed(await session.groups.projects(own)), inside, `projects of group ${id} of ${who}`)
    same(listed(await session.groups.sharedProjects({ group: id, ...all })), shared, `shared with ${id} of ${who}`)
    const details = await session.groups.details({ group: id })
    same(ids(details.projects ?? []), inside, `details of group ${id} of ${who}`)
    same(ids(details.sharedProjects ?? []), shared, `details of group ${id} of ${who}`)
  }
}

const compareEvents = async (session: Session, world: RandomWorld, seen: Seen, who: string) => {
  const events = eventsSeen(world, seen)
  for (const { id } of seen.projects) {
    const here = events.filter(({ projectId }) => projectId === id)
    same(listed(await session.events.listOfProject({ project: id, ...all })), here, `events of project ${id} of ${who}`)
  }
  // The first user has done everything.
  same(listed(await session.events.listOfUser({ user: 1, ...all })), events, `events by the first user, of ${who}`)
  if (who === 'nobody') return
  const mine = who === 'user1' ? events : []
  same(listed(await session.events.list(all)), mine, `own events of ${who}`)
  const home = ids((await session.projects.list({ membership: true, ...all })).items)
  const around = events.filter(({ projectId }) => home.includes(projectId))
  same(listed(await session.events.list({ scope: 'all', ...all })), around, `events around ${who}`)
}

const compareThings = async (session: Session, world: RandomWorld, seen: Seen, who: string) => {
  for (const { id } of seen.projects) {
    const issues = await answers(() => session.issues.list({ project: id, ...all }))
    if (!issues) continue
    const here = seen.issues.filter(({ projectId }) => projectId === id)
    same(listed(await session.issues.list({ project: id, ...all })), here, `issues of project ${id} of ${who}`)
  }
  for (const { id, projectId } of world.issues) {
    const open = await answers(() => session.notes.list({ project: projectId, issue: id, ...all }))
    expect(open, `notes of issue ${id} of ${who}`).toBe(has(seen.issues, id))
  }
  const publicOnes = world.snippets.filter(({ projectId, visibility }) => projectId === null && visibility === 'public')
  same(listed(await session.snippets.listPublic(all)), publicOnes, `public snippets for ${who}`)
  if (who === 'nobody') return
  const own = seen.snippets.filter(({ authorId }) => `user${authorId}` === who)
  same(listed(await session.snippets.list(all)), own, `snippets of ${who}`)
  const { total, items } = await session.todos.list(all)
  const targets = [...seen.issues, ...seen.mergeRequests, ...seen.epics]
  expect([total, items.length], `todos of ${who}`).toEqual([targets.length, targets.length])
  const count = async (call: Promise<{ all: number }>, expected: number, where: string) =>
    expect((await call).all, `issues ${where} that ${who} counts`).toBe(expected)
  await count(session.issueStatistics.overall({ scope: 'all' }), seen.issues.length, 'everywhere')
  for (const { id } of seen.projects) {
    const here = seen.issues.filter(({ projectId }) => projectId === id)
    await count(session.issueStatistics.ofProject({ project: id }), here.length, `of project ${id}`)
  }
  for (const { id } of seen.groups) {
    const inside = world.projects.filter(({ namespaceId }) => lineage(world, namespaceId).includes(id))
    const here = seen.issues.filter(({ projectId }) => has(inside, projectId))
    await count(session.issueStatistics.ofGroup({ group: id }), here.length, `below group ${id}`)
  }
}

const compareImages = async (session: Session, world: RandomWorld, seen: Seen, who: string) => {
  const listable = async (project: number) => answers(() => session.containerRepositories.list({ project, ...all }))
  for (const { id } of seen.groups) {
    if (!(await answers(() => session.containerRepositories.list({ group: id, ...all })))) continue
    const below = world.projects.filter(({ namespaceId }) => lineage(world, namespaceId).includes(id))
    const open = await those(below, (project) => listable(project.id))
    const { items } = await session.containerRepositories.list({ group: id, ...all })
    same(
      items.map(({ projectId }) => projectId).sort((a, b) => a - b),
      open,
      `images below group ${id} of ${who}`,
    )
  }
}

test('lists hold exactly what can be had one by one', async () => {
  await fc.assert(
    fc.asyncProperty(randomWorld, (world) =>
      within(world, async () => {
        counts.worlds++
        const people = world.users.map(({ id }) => [`user${id}`, platform.as({ user: id })] as const)
        for (const [who, session] of [['nobody', platform] as const, ...people]) {
          const seen = await seenBy(session, world)
          await compareProjects(session, world, seen, who)
          await compareEvents(session, world, seen, who)
          await compareThings(session, world, seen, who)
          await compareImages(session, world, seen, who)
        }
      }),
    ),
    { seed, numRuns: wanted, interruptAfterTimeLimit: patience, markInterruptAsFailure: false },
  )
  console.log(`${counts.worlds} worlds on ${dialect}: ${counts.rows} rows in lists`)
  expect(counts.worlds).toBeGreaterThanOrEqual(3)
  expect(counts.rows).toBeGreaterThan(100)
}, 120_000)
