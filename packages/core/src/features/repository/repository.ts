import type { Readable } from 'node:stream'
import type { ArchiveFormat, Commit, Comparison as Compared, FileDifference } from '../../ports/git.ts'

/** A commit: specification 2, "Commit". Dates are ISO 8601 with the offset that was recorded. */
export interface RepositoryCommit {
  id: string
  /** The first eight characters of the id. */
  shortId: string
  title: string
  message: string
  parentIds: string[]
  authorName: string
  authorEmail: string
  authoredDate: string
  committerName: string
  committerEmail: string
  committedDate: string
  /** When it was committed. */
  createdAt: string
}

/** How one file differs between two commits. Modes are six octal digits, `0` where there is no file. */
export interface RepositoryDiff {
  oldPath: string
  newPath: string
  aMode: string
  bMode: string
  /** Unified, from the first `@@` line on; empty when it is too large. */
  diff: string
  newFile: boolean
  renamedFile: boolean
  deletedFile: boolean
}

/** What one commit has that another has not: specification 2, "Commit". */
export interface RepositoryComparison {
  /** The newest of the commits; null when there is none. */
  commit: RepositoryCommit | null
  /** Oldest first. */
  commits: readonly RepositoryCommit[]
  diffs: readonly RepositoryDiff[]
  /** Limits of size or time were reached, so something may be missing. */
  compareTimeout: boolean
  compareSameRef: boolean
}

/** A file's content. */
export interface RepositoryBlob {
  sha: string
  /** Bytes. */
  size: number
  encoding: 'base64'
  content: string
}

/** A file's bytes. A stream has to be read to its end or destroyed. */
export interface RawBlob {
  sha: string
  /** Bytes. */
  size: number
  content: Uint8Array | Readable
}

/** Files of a commit as one file. The stream has to be read to its end or destroyed. */
export interface RepositoryArchive {
  /** `web-main-0123…cdef.tar.gz`. */
  fileName: string
  format: ArchiveFormat
  content: Readable
}

/** A branch and its newest commit. */
export interface Branch {
  name: string
  default: boolean
  commit: RepositoryCommit
}

/** A tag and the commit that it marks. */
export interface Tag {
  name: string
  commit: RepositoryCommit
}

/** What there is to say of a project's repository as a whole. */
export interface RepositoryState {
  /** False for a project to which nothing was ever pushed. */
  exists: boolean
  /** It has no commits. */
  empty: boolean
  defaultBranch: string
  /** The newest commit of the default branch. */
  head: string | null
  /** Where it lies on the disk of the host. Only for administrators. */
  directory?: string
}

export const toCommit = (commit: Commit): RepositoryCommit => ({
  id: commit.id,
  shortId: commit.id.slice(0, 8),
  title: commit.title,
  message: commit.message,
  parentIds: [...commit.parents],
  authorName: commit.author.name,
  authorEmail: commit.author.email,
  authoredDate: commit.authoredAt,
  committerName: commit.committer.name,
  committerEmail: commit.committer.email,
  committedDate: commit.committedAt,
  createdAt: commit.committedAt,
})

const toDiff = (file: FileDifference): RepositoryDiff => ({
  oldPath: file.oldPath,
  newPath: file.newPath,
  aMode: file.oldMode,
  bMode: file.newMode,
  diff: file.patch,
  newFile: file.isNew,
  renamedFile: file.isRenamed,
  deletedFile: file.isDeleted,
})

export const toComparison = (
  { commits, diffs, overflow, timedOut }: Compared,
  compareSameRef: boolean,
): RepositoryComparison => {
  const shown = commits.map(toCommit)
  return {
    commit: shown.at(-1) ?? null,
    commits: shown,
    diffs: diffs.map(toDiff),
    compareTimeout: overflow || timedOut,
    compareSameRef,
  }
}
