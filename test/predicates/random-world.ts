import fc from 'fast-check'
import { featureLevels, groupLevels, projectLevels, visibilities } from '../../packages/core/src/access/levels.ts'

/** The current time of the worlds; expiry dates are around it. A membership or share expires at the start of its expiry date. */
export const now = '2026-11-21T12:00:00.000Z'
const expiry = fc.constantFrom(null, null, '2026-11-20', '2026-11-21', '2026-11-22')

const userCount = 4
const maxGroups = 7
const maxDepth = 4

const visibility = fc.constantFrom(...visibilities)
const feature = fc.constantFrom('enabled' as const, 'enabled' as const, ...featureLevels)
const user = fc.nat(userCount - 1)

/** An index into a list of any length, used modulo its length. */
const pick = fc.nat(1_000_000)

/** The user of an unfinished import; mostly none. */
const importer = fc.option(user, { freq: 3, nil: undefined })

const group = fc.record({ visibility, parent: fc.option(pick), importer })

const project = fc.record({
  visibility,
  archived: fc.boolean(),
  importer,
  home: fc.oneof({ weight: 4, arbitrary: fc.record({ group: pick }) }, fc.record({ user })),
  issues: feature,
  mergeRequests: feature,
  repository: feature,
  snippets: feature,
  packages: fc.constantFrom(...featureLevels, 'public' as const),
  environments: feature,
})

const owner = fc.oneof(fc.record({ group: pick }), fc.record({ project: pick }))

const world = fc.record({
  external: fc.array(fc.boolean(), { minLength: userCount, maxLength: userCount }),
  groups: fc.array(group, { minLength: 2, maxLength: maxGroups }),
  projects: fc.array(project, { minLength: 1, maxLength: 5 }),
  members: fc.array(fc.record({ user, on: owner, level: pick, expires: expiry }), { maxLength: 8 }),
  shares: fc.array(fc.record({ with: pick, on: owner, level: fc.constantFrom(...groupLevels), expires: expiry }), {
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

type Generated = typeof world extends fc.Arbitrary<infer T> ? T : never

/** The owner of a membership or a share: exactly one of the two is an id. */
interface Owner {
  readonly projectId: number | null
  readonly groupId: number | null
}

/** Assigns ids. Group ids are 1, 2, …, followed by one personal namespace per user. All other ids are 1, 2, … too. */
const assignIds = (generated: Generated) => {
  const toImporterId = (importer: number | undefined) => (importer === undefined ? null : importer + 1)
  const depths: number[] = []
  const groups = generated.groups.map(({ visibility, parent, importer }, at) => {
    const parentIndex = parent === null || at === 0 ? null : parent % at
    const nested = parentIndex !== null && (depths[parentIndex] as number) < maxDepth
    depths.push(nested ? (depths[parentIndex] as number) + 1 : 1)
    return { id: at + 1, parentId: nested ? parentIndex + 1 : null, visibility, importerId: toImporterId(importer) }
  })
  const groupId = (pick: number) => (pick % groups.length) + 1
  const projectId = (pick: number) => (pick % generated.projects.length) + 1
  const ownerOf = (on: { group: number } | { project: number }): Owner =>
    'group' in on
      ? { groupId: groupId(on.group), projectId: null }
      : { groupId: null, projectId: projectId(on.project) }
  const uniqueBy = <T>(all: readonly T[], key: (item: T) => string): T[] => [
    ...new Map(all.map((item) => [key(item), item])).values(),
  ]
  const members = generated.members.map(({ user, on, level, expires }) => {
    const levels = 'group' in on ? groupLevels : projectLevels
    return {
      ...ownerOf(on),
      userId: user + 1,
      accessLevel: levels[level % levels.length] as number,
      expiresAt: expires,
    }
  })
  const shares = generated.shares.map(({ with: invited, on, level, expires }) => ({
    ...ownerOf(on),
    withGroupId: groupId(invited),
    accessLevel: level,
    expiresAt: expires,
  }))
  return {
    users: generated.external.map((external, at) => ({ id: at + 1, external })),
    groups,
    projects: generated.projects.map(({ home, importer, ...fields }, at) => ({
      ...fields,
      importerId: toImporterId(importer),
      id: at + 1,
      namespaceId: 'group' in home ? groupId(home.group) : groups.length + 1 + home.user,
    })),
    members: uniqueBy(members, ({ userId, groupId, projectId }) => `${userId} ${groupId} ${projectId}`),
    shares: uniqueBy(
      shares.filter(({ groupId, withGroupId }) => groupId !== withGroupId),
      ({ withGroupId, groupId, projectId }) => `${withGroupId} ${groupId} ${projectId}`,
    ),
    issues: generated.issues.map(({ project, author, confidential, assignees }, at) => ({
      id: at + 1,
      projectId: projectId(project),
      authorId: author + 1,
      confidential,
      assignees: assignees.map((user) => user + 1),
    })),
    mergeRequests: generated.mergeRequests.map(({ project, author }, at) => ({
      id: at + 1,
      projectId: projectId(project),
      authorId: author + 1,
    })),
    epics: generated.epics.map(({ group, author, confidential }, at) => ({
      id: at + 1,
      groupId: groupId(group),
      authorId: author + 1,
      confidential,
    })),
    snippets: generated.snippets.map(({ project, author, visibility }, at) => ({
      id: at + 1,
      projectId: project === null ? null : projectId(project),
      authorId: author + 1,
      visibility,
    })),
  }
}

export type RandomWorld = ReturnType<typeof assignIds>

/**
 * Worlds with a few users, groups nested up to four levels, projects with every visibility and feature level, memberships and
 * shares with and without expiry, and objects in them.
 */
export const randomWorld: fc.Arbitrary<RandomWorld> = world.map(assignIds)
