import type { ImportOverrides } from '../features/integration/archives/archive.ts'
import type { Context } from '../kernel/context.ts'

/** The data of a project or a group for an archive, in the format of seeds. */
export interface ArchiveData {
  readonly content: unknown
  /** What the project or group has and the content lacks. */
  readonly omitted: readonly string[]
}

/** An imported project or group, which exists without content. */
export interface ArchiveTarget {
  readonly id: number
  /** Username of the author of everything that no other user is known for. */
  readonly importer: string
  /** The usernames of users of the archive who are recognized, by their usernames in the archive. */
  readonly users: ReadonlyMap<string, string>
  /** The time of the import, ISO 8601. */
  readonly now: string
  /** Whether members of the archive become members. */
  readonly addsMembers: boolean
  /** Fields of the project that replace those of the archive. */
  readonly overrides: ImportOverrides
  /** The project to remove afterwards, and the path that the new one takes over. */
  readonly replaces?: { readonly projectId: number; readonly path: string }
}

/** Steps of an import that run in its first and in its last transaction. */
export interface ArchiveSteps {
  /** Ends the import after the running transaction. */
  readonly signal: AbortSignal
  before(ctx: Context): Promise<void>
  after(ctx: Context): Promise<void>
}

/** A user in an archive. */
export interface ArchivedUser {
  readonly username: string
  readonly publicEmail?: string | undefined
}

/** Content that was validated. */
export interface ParsedArchive {
  readonly users: readonly ArchivedUser[]
  /** The name of the default branch; undefined for a group. */
  readonly defaultBranch?: string | undefined
  /** Adds the content in several transactions, between which others run: a failure leaves a part of it. */
  add(target: ArchiveTarget, steps: ArchiveSteps): Promise<void>
}

/** Reads and adds the data of projects and groups through the operations of the platform. */
export interface ArchiveSeeds {
  read(container: { readonly project: number } | { readonly group: number }): Promise<ArchiveData>
  /** @throws PlatformError `invalid_input` with a problem for each invalid value */
  parse(kind: 'project' | 'group', content: unknown): ParsedArchive
}
