import type { Seed } from '@forgelet/core/seed'
import { type JsonObject, readId, readText, toObject, withoutUndefined } from './json-fields.ts'
import { isFullPath, isPathSegment } from './names.ts'

export type SeedUser = NonNullable<Seed['users']>[number]
export type SeedGroup = NonNullable<Seed['groups']>[number]
export type SeedProject = NonNullable<Seed['projects']>[number]
export type SeedIssue = NonNullable<SeedProject['issues']>[number]
export type SeedMergeRequest = NonNullable<SeedProject['mergeRequests']>[number]
export type SeedNote = NonNullable<SeedIssue['notes']>[number]
export type SeedLabel = NonNullable<SeedProject['labels']>[number]
export type SeedMilestone = NonNullable<SeedProject['milestones']>[number]
export type SeedMember = NonNullable<SeedProject['members']>[number]
export type SeedRelease = NonNullable<SeedProject['releases']>[number]
export type SeedSnippet = NonNullable<Seed['snippets']>[number]

/** Fields that are read from several responses; some can be missing. */
export type Draft<T> = { -readonly [N in keyof T]?: T[N] }

/** The fields of issues and merge requests. */
export type IssuableFields = Omit<SeedIssue, 'state'> & SeedMergeRequest

/** An issue or a merge request. */
export interface RecordedIssuable {
  readonly fields: Draft<IssuableFields>
  /** By id. */
  readonly notes: Map<number, SeedNote>
  /** Usernames by name of the emoji. */
  readonly emoji: Map<string, Set<string>>
}

/** A snippet. Its content is in another response. */
export interface RecordedSnippet {
  readonly fields: Draft<SeedSnippet>
}

/** The content that groups and projects have in common. */
export interface RecordedContainer {
  readonly path: string
  /** Access levels by username. */
  readonly members: Map<string, SeedMember>
  /** Members of the project and of the groups above it, which responses do not distinguish. */
  readonly allMembers: Map<string, SeedMember>
  readonly shares: Map<string, NonNullable<SeedProject['shares']>[number]>
  /** By name. */
  readonly labels: Map<string, SeedLabel>
  /** By number; a negative key is no number. */
  readonly milestones: Map<number, Draft<SeedMilestone>>
}

export interface RecordedGroup extends RecordedContainer {
  readonly fields: Draft<SeedGroup>
}

export interface RecordedProject extends RecordedContainer {
  readonly fields: Draft<SeedProject>
  /** By number. */
  readonly issues: Map<number, RecordedIssuable>
  readonly mergeRequests: Map<number, RecordedIssuable>
  /** By tag. */
  readonly releases: Map<string, Draft<SeedRelease>>
  /** By id. */
  readonly snippets: Map<number, RecordedSnippet>
  /** Contents by ref and path. The ref is empty for the default branch. */
  readonly files: Map<string, Map<string, string>>
  /** Paths by blob id and ref, from trees. */
  readonly blobPaths: Map<string, Map<string, string>>
  readonly branches: Set<string>
  /** Messages by name; undefined for lightweight tags. */
  readonly tags: Map<string, string | undefined>
}

/** The access of the recording user. */
export interface RecordedAccess {
  readonly container: RecordedContainer
  readonly access: NonNullable<SeedMember['access']>
}

const getOrAdd = <K, V>(map: Map<K, V>, key: K, create: () => V): V => {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const created = create()
  map.set(key, created)
  return created
}

/** Adds fields without a value in the draft. The first recorded state is the one that the recorded client has found. */
export const fill = <T extends object>(
  draft: Draft<T>,
  fields: { readonly [N in keyof T]?: T[N] | undefined },
): void => {
  for (const [name, value] of Object.entries(withoutUndefined(fields))) {
    if (!Object.hasOwn(draft, name)) Object.assign(draft, { [name]: value })
  }
}

const createContainer = (path: string): RecordedContainer => ({
  path,
  members: new Map(),
  allMembers: new Map(),
  shares: new Map(),
  labels: new Map(),
  milestones: new Map(),
})

const createProject = (path: string): RecordedProject => ({
  ...createContainer(path),
  fields: {},
  issues: new Map(),
  mergeRequests: new Map(),
  releases: new Map(),
  snippets: new Map(),
  files: new Map(),
  blobPaths: new Map(),
  branches: new Set(),
  tags: new Map(),
})

/** Everything that a recording contains. Names and paths are case-insensitive. */
export interface RecordedWorld {
  readonly users: ReadonlyMap<string, Draft<SeedUser> & { readonly username: string }>
  readonly groups: ReadonlyMap<string, RecordedGroup>
  readonly projects: ReadonlyMap<string, RecordedProject>
  /** Personal snippets by id. */
  readonly snippets: Map<number, RecordedSnippet>
  /** Full paths by id. */
  readonly projectPaths: Map<number, string>
  readonly groupPaths: Map<number, string>
  /** Usernames of `GET /user`; usually one. */
  readonly currentUsers: Set<string>
  /** What `permissions` of projects say about the current user. */
  readonly currentAccess: RecordedAccess[]
  /** The recorded ids of users: new ids have their order. */
  readonly userIds: Map<string, number>
  /** The user with this name; undefined for an invalid name. */
  addUser(username: string | undefined): (Draft<SeedUser> & { readonly username: string }) | undefined
  addGroup(path: string): RecordedGroup | undefined
  addProject(path: string): RecordedProject | undefined
}

export const createRecordedWorld = (): RecordedWorld => {
  const users = new Map<string, Draft<SeedUser> & { readonly username: string }>()
  const groups = new Map<string, RecordedGroup>()
  const projects = new Map<string, RecordedProject>()
  return {
    users,
    groups,
    projects,
    snippets: new Map(),
    projectPaths: new Map(),
    groupPaths: new Map(),
    userIds: new Map(),
    currentUsers: new Set(),
    currentAccess: [],
    addUser: (username) =>
      username !== undefined && isPathSegment(username)
        ? getOrAdd(users, username.toLowerCase(), () => ({ username }))
        : undefined,
    addGroup: (path) =>
      isFullPath(path)
        ? getOrAdd(groups, path.toLowerCase(), () => ({ ...createContainer(path), fields: {} }))
        : undefined,
    addProject: (path) =>
      isFullPath(path) && path.includes('/')
        ? getOrAdd(projects, path.toLowerCase(), () => createProject(path))
        : undefined,
  }
}

/** The issue or merge request with this number. */
export const addIssuable = (issuables: Map<number, RecordedIssuable>, iid: number): RecordedIssuable =>
  getOrAdd(issuables, iid, () => ({ fields: {}, notes: new Map(), emoji: new Map() }))

export const addSnippet = (snippets: Map<number, RecordedSnippet>, id: number): RecordedSnippet =>
  getOrAdd(snippets, id, () => ({ fields: {} }))

export const addFile = ({ files }: RecordedProject, ref: string, path: string, content: string): void => {
  const contents = getOrAdd(files, ref, () => new Map<string, string>())
  if (!contents.has(path)) contents.set(path, content)
}

/** Adds the user of an object such as an author, and returns the username. */
export const addUserOf = (world: RecordedWorld, value: unknown): string | undefined => {
  const user: JsonObject | undefined = toObject(value)
  if (!user) return undefined
  const recorded = world.addUser(readText(user, 'username', 255))
  if (!recorded) return undefined
  fill<SeedUser>(recorded, { name: readText(user, 'name', 255) })
  const id = readId(user, 'id')
  if (id !== undefined) world.userIds.set(recorded.username.toLowerCase(), id)
  return recorded.username
}
