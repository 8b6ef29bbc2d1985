import { defined } from '@forgelet/core/operations'
import type { Seed } from '@forgelet/core/seed'
import { createIssues, createMergeRequests } from './create-issuables.ts'
import { createReleases, createSnippets } from './create-publications.ts'
import { createRepository, findDefaultBranch } from './create-repository.ts'
import { changedSettings, groupDefaults, projectDefaults, withoutDefaults } from './default-values.ts'
import { withoutUndefined } from './json-fields.ts'
import type {
  Draft,
  RecordedContainer,
  RecordedGroup,
  RecordedProject,
  RecordedWorld,
  SeedGroup,
  SeedMilestone,
  SeedProject,
  SeedUser,
} from './recorded-world.ts'
import { removedAuthor, type Skip } from './skip.ts'
import { isMoreVisible, type Visibility } from './visibility.ts'

const isEmail = (text: string) => /^[^\s@<>]+@[^\s@<>]+$/.test(text)

/** Lists without an order of their own are in the order of ids. Items without a recorded id follow the others. */
const byRecordedId =
  <T>(ids: ReadonlyMap<string, number>, nameOf: (item: T) => string) =>
  (a: T, b: T): number => {
    const [first, second] = [a, b].map((item) => ids.get(nameOf(item).toLowerCase()) ?? Number.MAX_SAFE_INTEGER)
    return defined(first) - defined(second)
  }

const toIds = (paths: ReadonlyMap<number, string>): ReadonlyMap<string, number> =>
  new Map([...paths].map(([id, path]) => [path.toLowerCase(), id]))

/** E-mail addresses are unique; the platform generates those that are missing. */
const createUsers = (world: RecordedWorld, hasTokens: boolean): SeedUser[] => {
  const emails = new Set<string>()
  return [...world.users.values()]
    .toSorted(byRecordedId(world.userIds, ({ username }) => username))
    .map(({ email, ...user }) => {
      const key = email?.toLowerCase()
      const isUsable = key !== undefined && isEmail(key) && !key.endsWith('@users.invalid') && !emails.has(key)
      if (isUsable) emails.add(key)
      const tokens = [{ secret: `${user.username}-token` }]
      return { ...user, ...(isUsable && { email }), ...(hasTokens && { tokens }) }
    })
}

const parentOf = (path: string) => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

const ancestorsOf = (path: string): readonly string[] => {
  const parent = parentOf(path)
  return parent === '' ? [] : [...ancestorsOf(parent), parent]
}

/** Those without a number follow the others. Titles are unique in a project or group. */
const createMilestones = ({ milestones }: RecordedContainer): SeedMilestone[] | undefined => {
  const titles = new Set<string>()
  const created = [...milestones]
    .toSorted(([a], [b]) => Number(a < 0) - Number(b < 0) || Math.abs(a) - Math.abs(b))
    .flatMap(([iid, milestone]) => {
      if (milestone.title === undefined || titles.has(milestone.title) || iid >= 2 ** 31) return []
      titles.add(milestone.title)
      return [{ ...(iid > 0 && { iid }), ...milestone } as SeedMilestone]
    })
  return created.length ? created : undefined
}

const listOrUndefined = <T>(items: Iterable<T>): T[] | undefined => {
  const list = [...items]
  return list.length ? list : undefined
}

/** Direct members, and those that the recording does not show to be members of a group above. */
const createMembers = (world: RecordedWorld, container: RecordedContainer, isProject: boolean) => {
  const above = ancestorsOf(container.path).map((path) => world.groups.get(path.toLowerCase()))
  const inherited = (key: string) => {
    const levels = above.map((group) => (group?.members.get(key) ?? group?.allMembers.get(key))?.access as number)
    return Math.max(0, ...levels.filter((level) => level !== undefined))
  }
  const owner = parentOf(container.path).toLowerCase()
  const members = new Map([...container.allMembers, ...container.members])
  const created = [...members].flatMap(([key, member]) => {
    const isDirect = container.members.has(key)
    const access = Math.min(member.access as number, isProject ? 40 : 50)
    if (isProject && key === owner && world.users.has(owner)) return []
    if (access < inherited(key) || (!isDirect && access === inherited(key))) return []
    return [{ ...member, access } as typeof member]
  })
  return listOrUndefined(created)
}

/** Groups of the recording, and those that it only contains in paths. */
const findGroupPaths = (world: RecordedWorld, isPersonal: (path: string) => boolean) => {
  const paths = new Map<string, string>()
  const recorded = [...world.groups.values()].map(({ path }) => path)
  const parents = [...world.projects.values()].map(({ path }) => parentOf(path))
  for (const path of [...recorded, ...parents]) {
    for (const group of [...ancestorsOf(path), path]) {
      if (!isPersonal(group) && !paths.has(group.toLowerCase())) paths.set(group.toLowerCase(), group)
    }
  }
  const byId = byRecordedId(toIds(world.groupPaths), (path: string) => path)
  return [...paths.values()].toSorted((a, b) => a.split('/').length - b.split('/').length || byId(a, b))
}

/**
 * The recorded visibility, at most that of the groups above. Undefined where none was recorded: the seed then changes no existing
 * group or project.
 */
const findVisibility = (
  world: RecordedWorld,
  { path, fields }: RecordedGroup | RecordedProject,
  fallback?: Visibility | undefined,
) =>
  ancestorsOf(path).reduce<Visibility | undefined>((visibility, group) => {
    const limit = world.groups.get(group.toLowerCase())?.fields.visibility
    return visibility && limit && isMoreVisible(visibility, limit) ? limit : visibility
  }, fields.visibility ?? fallback)

const createGroups = (world: RecordedWorld, paths: readonly string[], skip: Skip): SeedGroup[] => {
  const earlier = new Set<string>()
  return paths.map((path) => {
    const group = defined(world.addGroup(path))
    const shares = [...group.shares].filter(([key]) => earlier.has(key) && !isBelow(path, key))
    if (shares.length < group.shares.size) skip(path, 'a share with a group that follows in the seed')
    earlier.add(path.toLowerCase())
    return withoutUndefined({
      path,
      ...withoutDefaults(group.fields, groupDefaults),
      visibility: findVisibility(world, group),
      members: createMembers(world, group, false),
      shares: listOrUndefined(shares.map(([, share]) => share)),
      labels: listOrUndefined(group.labels.values()),
      milestones: createMilestones(group),
    })
  })
}

/** Whether a path is that of a group or below it. */
const isBelow = (path: string, group: string) => `${path.toLowerCase()}/`.startsWith(`${group.toLowerCase()}/`)

const createProject = (
  world: RecordedWorld,
  project: RecordedProject,
  groups: ReadonlyMap<string, SeedGroup>,
  skip: Skip,
  visibility: Visibility | undefined,
): SeedProject => {
  const { path, fields } = project
  const milestones = createMilestones(project)
  const above = ancestorsOf(path).flatMap((group) => groups.get(group.toLowerCase())?.milestones ?? [])
  const context = { path, titles: new Set([...(milestones ?? []), ...above].map(({ title }) => title)), skip }
  const isLocked = ancestorsOf(path).some((group) => groups.get(group.toLowerCase())?.shareWithGroupLock)
  const shares = [...project.shares].filter(([key]) => groups.has(key) && !isBelow(path, key) && !isLocked)
  if (shares.length < project.shares.size) skip(path, 'a share that its group does not allow')
  const mergeRequests = createMergeRequests(project, context)
  const repository = createRepository(project, mergeRequests ?? [], skip)
  const content: Draft<SeedProject> = {
    ...withoutDefaults({ ...fields, defaultBranch: findDefaultBranch(project) }, projectDefaults),
    settings: changedSettings(fields.settings),
    visibility: findVisibility(world, project, visibility),
    members: createMembers(world, project, true),
    shares: listOrUndefined(shares.map(([, share]) => share)),
    labels: listOrUndefined(project.labels.values()),
    milestones,
    issues: createIssues(project, context),
    mergeRequests,
    snippets: createSnippets(project.snippets, path, skip),
    repository,
    releases: repository && createReleases(project, context),
  }
  return withoutUndefined({ path, ...content })
}

const hasRemovedAuthor = (seed: Seed) => JSON.stringify(seed).includes(`"author":"${removedAuthor}"`)

/** The recording user is a member where `permissions` of projects say so. */
const addCurrentUser = ({ currentUsers, currentAccess, users }: RecordedWorld) => {
  const [key = ''] = currentUsers
  const user = users.get(key)?.username
  if (currentUsers.size !== 1 || user === undefined) return
  for (const { container, access } of currentAccess) {
    if (!container.members.has(key)) container.allMembers.set(key, { user, access })
  }
}

/** Options of `importRecording`. */
export interface ImportRecordingOptions {
  /** Gives each user the token `<username>-token`, for tests: everyone who knows the name can sign in. Default: false. */
  readonly tokens?: boolean
  /** Visibility of projects that have no recorded one. Default: none in the seed, which changes no existing project. */
  readonly visibility?: Visibility
}

/** The seed of a recorded world. It contains only names that the operations of the platform accept. */
export const createSeed = (
  world: RecordedWorld,
  skip: Skip,
  { tokens = false, visibility }: ImportRecordingOptions,
): Seed => {
  addCurrentUser(world)
  const isPersonal = (path: string) => world.users.has(path.toLowerCase())
  const isBelowUser = (path: string) => isPersonal(defined(path.split('/')[0]))
  const groupPaths = findGroupPaths(world, isBelowUser)
  const groupKeys = new Set(groupPaths.map((path) => path.toLowerCase()))
  const byId = byRecordedId(toIds(world.projectPaths), ({ path }: RecordedProject) => path)
  const projects = [...world.projects.values()].toSorted(byId).filter(({ path }) => {
    const isPossible = !groupKeys.has(path.toLowerCase()) && (!isBelowUser(path) || path.split('/').length === 2)
    if (!isPossible) skip(path, 'the path is also that of a user or a group')
    return isPossible
  })
  const groups = createGroups(world, groupPaths, skip)
  const byPath = new Map(groups.map((group) => [group.path.toLowerCase(), group]))
  const seed = {
    users: createUsers(world, tokens),
    groups,
    projects: projects.map((project) => createProject(world, project, byPath, skip, visibility)),
    snippets: createSnippets(world.snippets, 'personal', skip) ?? [],
  } satisfies Seed
  if (hasRemovedAuthor(seed)) seed.users.push({ username: removedAuthor, name: 'Ghost User' })
  return seed
}
