import type { Readable } from 'node:stream'
import type { ArchiveFormat, Commit, Comparison, FileDiff } from '../../ports/git.ts'

/** A commit: specification 2, "Commit". Dates are ISO 8601 with the recorded UTC offset. */
export interface RepositoryCommit {
  id: string
  /** The full path of the project, for URLs. */
  projectPath: string
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
  /** Same as `committedDate`. */
  createdAt: string
}

/** The difference of one file between two commits. Modes have six octal digits; `0` for a missing file. */
export interface RepositoryDiff {
  oldPath: string
  newPath: string
  aMode: string
  bMode: string
  /** Unified diff from the first `@@` line; empty if it is too large. */
  diff: string
  newFile: boolean
  renamedFile: boolean
  deletedFile: boolean
}

/** Comparison of two commits: specification 2, "Commit". */
export interface RepositoryComparison {
  /** The newest commit; null if there are none. */
  commit: RepositoryCommit | null
  /** Oldest first. */
  commits: readonly RepositoryCommit[]
  diffs: readonly RepositoryDiff[]
  /** A size or time limit was reached, so the result may be incomplete. */
  compareTimeout: boolean
  compareSameRef: boolean
}

/** A file with its Base64 content. */
export interface RepositoryBlob {
  sha: string
  /** Bytes. */
  size: number
  encoding: 'base64'
  content: string
}

/** The raw bytes of a file. A stream must be consumed or destroyed. */
export interface RawBlob {
  sha: string
  /** Bytes. */
  size: number
  content: Uint8Array | Readable
}

/** An archive of the files of a commit. The stream must be consumed or destroyed. */
export interface RepositoryArchive {
  /** `web-main-0123…cdef.tar.gz`. */
  fileName: string
  format: ArchiveFormat
  content: Readable
}

/** A branch and its head commit. */
export interface Branch {
  name: string
  default: boolean
  commit: RepositoryCommit
}

/** A tag and its commit. */
export interface Tag {
  name: string
  commit: RepositoryCommit
}

/** State of a project's repository. */
export interface RepositoryState {
  /** Whether the project has a repository; the first push creates it. */
  exists: boolean
  /** The repository has no commits. */
  empty: boolean
  defaultBranch: string
  /** Head commit of the default branch. */
  head: string | null
  /** Path in the file system of the host. Administrators only. */
  directory?: string
}

export const toCommit = (commit: Commit, projectPath: string): RepositoryCommit => ({
  id: commit.id,
  projectPath,
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

const toDiff = (file: FileDiff): RepositoryDiff => ({
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
  { commits, diffs, overflow, timedOut }: Comparison,
  projectPath: string,
  compareSameRef: boolean,
): RepositoryComparison => {
  const converted = commits.map((commit) => toCommit(commit, projectPath))
  return {
    commit: converted.at(-1) ?? null,
    commits: converted,
    diffs: diffs.map(toDiff),
    compareTimeout: overflow || timedOut,
    compareSameRef,
  }
}
