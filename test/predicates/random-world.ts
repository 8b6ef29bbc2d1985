import fc from 'fast-check'
import { featureLevels, groupLevels, projectLevels, visibilities } from '../../packages/core/src/access/levels.ts'

/** The day on which the worlds are looked at, and those around it. A membership or share ends at the start of its day. */
export const now = '2026-11-21T12:00:00.000Z'
const expiry = fc.constantFrom(null, null, '2026-11-20', '2026-11-21', '2026-11-22')

const people = 4
const mostGroups = 7
const deepest = 4

const visibility = fc.constantFrom(...visibilities)
const feature = fc.constantFrom('enabled' as const, 'enabled' as const, ...featureLevels)
const user = fc.nat(people - 1)

/** Picks from lists of any length: `at(list)` is one of its entries. */
const pick = fc.nat(1_000_000)

const group = fc.record({ visibility, parent: fc.option(pick) })

const project = fc.record({
  visibility,
  archived: fc.boolean(),
  home: fc.oneof({ weight: 4, arbitrary: fc.record({ group: pick }) }, fc.record({ user })),
  issues: feature,
  mergeRequests: feature,
  repository: feature,
  snippets: feature,
})

const place = fc.oneof(fc.record({ group: pick }), fc.record({ project: pick }))

const world = fc.record({
  external: fc.array(fc.boolean(), { minLength: people, maxLength: people }),
  groups: fc.array(group, { minLength: 2, maxLength: mostGroups }),
  projects: fc.array(project, { minLength: 1, maxLength: 5 }),
  members: fc.array(fc.record({ user, on: place, level: pick, expires: expiry }), { maxLength: 8 }),
  shares: fc.array(fc.record({ with: pick, on: place, level: fc.constantFrom(...groupLevels), expires: expiry }), {
    maxLength: 5,
  }),
  issues: fc.array(
    fc.record({
      project: pick,
      author: user,
      confidential: fc.boolean(),
      assignees: fc.uniqueArray(user, { maxLength: 2 }),
    }),
    { maxLength: 6 },
  ),
  mergeRequests: fc.array(fc.record({ project: pick, author: user }), { maxLength: 4 }),
  epics: fc.array(fc.record({ group: pick, author: user, confidential: fc.boolean() }), { maxLength: 4 }),
  snippets: fc.array(fc.record({ project: fc.option(pick), author: user, visibility }), { maxLength: 5 }),
})

type Drawn = typeof world extends fc.Arbitrary<infer T> ? T : never

/** Where a membership or a share stands: exactly one of the two is an id. */
interface Place {
  readonly projectId: number | null
  readonly groupId: number | null
}

/** Group ids are 1, 2, …; those of personal namespaces follow, one for each user. All other ids are 1, 2, … too. */
const settle = (drawn: Drawn) => {
  const depths: number[] = []
  const groups = drawn.groups.map(({ visibility, parent }, at) => {
    const above = parent === null || at === 0 ? null : parent % at
    const nested = above !== null && (depths[above] as number) < deepest
    depths.push(nested ? (depths[above] as number) + 1 : 1)
    return { id: at + 1, parentId: nested ? above + 1 : null, visibility }
  })
  const groupId = (pick: number) => (pick % groups.length) + 1
  const projectId = (pick: number) => (pick % drawn.projects.length) + 1
  const placeOf = (on: { group: number } | { project: number }): Place =>
    'group' in on
      ? { groupId: groupId(on.group), projectId: null }
      : { groupId: null, projectId: projectId(on.project) }
  const once = <T>(all: readonly T[], key: (item: T) => string): T[] => [
    ...new Map(all.map((item) => [key(item), item])).values(),
  ]
  const members = drawn.members.map(({ user, on, level, expires }) => {
    const levels = 'group' in on ? groupLevels : projectLevels
    return {
      ...placeOf(on),
      userId: user + 1,
      accessLevel: levels[level % levels.length] as number,
      expiresAt: expires,
    }
  })
  const shares = drawn.shares.map(({ with: invited, on, level, expires }) => ({
    ...placeOf(on),
    withGroupId: groupId(invited),
    accessLevel: level,
    expiresAt: expires,
  }))
  return {
    users: drawn.external.map((external, at) => ({ id: at + 1, external })),
    groups,
    projects: drawn.projects.map(({ home, ...given }, at) => ({
      ...given,
      id: at + 1,
      namespaceId: 'group' in home ? groupId(home.group) : groups.length + 1 + home.user,
    })),
    members: once(members, ({ userId, groupId, projectId }) => `${userId} ${groupId} ${projectId}`),
    shares: once(
      shares.filter(({ groupId, withGroupId }) => groupId !== withGroupId),
      ({ withGroupId, groupId, projectId }) => `${withGroupId} ${groupId} ${projectId}`,
    ),
    issues: drawn.issues.map(({ project, author, confidential, assignees }, at) => ({
      id: at + 1,
      projectId: projectId(project),
      authorId: author + 1,
      confidential,
      assignees: assignees.map((user) => user + 1),
    })),
    mergeRequests: drawn.mergeRequests.map(({ project, author }, at) => ({
      id: at + 1,
      projectId: projectId(project),
      authorId: author + 1,
    })),
    epics: drawn.epics.map(({ group, author, confidential }, at) => ({
      id: at + 1,
      groupId: groupId(group),
      authorId: author + 1,
      confidential,
    })),
    snippets: drawn.snippets.map(({ project, author, visibility }, at) => ({
      id: at + 1,
      projectId: project === null ? null : projectId(project),
      authorId: author + 1,
      visibility,
    })),
  }
}

export type RandomWorld = ReturnType<typeof settle>

/**
 * Worlds of a few users, groups nested up to four deep, projects with every visibility and feature level, memberships and
 * shares with and without an end, and things in them.
 */
export const randomWorld: fc.Arbitrary<RandomWorld> = world.map(settle)
