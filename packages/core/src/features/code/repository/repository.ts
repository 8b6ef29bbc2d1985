import type { Readable } from 'node:stream'
import type { ArchiveFormat, Commit, Comparison, FileDiff } from '../../../ports/git.ts'
import { readTrailers, type Trailers } from './commit-trailers.ts'

/** A commit: specification 2, "Commit". Dates are ISO 8601 with the recorded UTC offset. */
export interface RepositoryCommit extends Trailers {
  /** Hexadecimal SHA, 40 digits. */
  id: string
  /** The full path of the project, for URLs. */
  projectPath: string
  /** The first eight characters of the id. */
  shortId: string
  /** First line of the message that is not blank. */
  title: string
  /** The whole message, including the title. */
  message: string
  /** SHAs of the parents: none for a root commit, several for a merge. */
  parentIds: string[]
  /** Name of the author, as recorded in the commit. */
  authorName: string
  /** E-mail address of the author, as recorded in the commit. */
  authorEmail: string
  /** When the changes were written: ISO 8601 with the recorded UTC offset. */
  authoredDate: string
  /** Name of the committer, as recorded in the commit. */
  committerName: string
  /** E-mail address of the committer, as recorded in the commit. */
  committerEmail: string
  /** When the commit was created: ISO 8601 with the recorded UTC offset. */
  committedDate: string
  /** Equal to `committedDate`. */
  createdAt: string
}

/** The difference of one file between two commits. Modes have six octal digits; `0` for a missing file. */
export interface RepositoryDiff {
  /** Path before the change; for a new file, the same as `newPath`. */
  oldPath: string
  /** Path after the change; for a deleted file, the same as `oldPath`. */
  newPath: string
  /** Mode before the change: six octal digits such as `100644`; `0` for a new file. */
  aMode: string
  /** Mode after the change: six octal digits such as `100644`; `0` for a deleted file. */
  bMode: string
  /** Unified diff from the first `@@` line; a sentence for a binary file; empty if it is too large. */
  diff: string
  /** Whether the change creates the file. */
  newFile: boolean
  /** Whether the file was moved, with or without changes of its content. */
  renamedFile: boolean
  /** Whether the change deletes the file. */
  deletedFile: boolean
  /** Whether the diff is omitted because all diffs together are larger than allowed, or take too long. */
  collapsed: boolean
  /** Whether the diff is omitted because it is larger than the setting `diff_max_patch_bytes`. */
  tooLarge: boolean
}

/** How much of a history a list of contributors covers. */
export interface ContributorCoverage {
  /** Number of the newest commits that the list covers while a job counts the others; omitted when it covers all of them. */
  readonly countedCommits?: number
}

/** Comparison of two commits: specification 2, "Commit". */
export interface RepositoryComparison {
  /** The newest of `commits`; null if there are none. */
  commit: RepositoryCommit | null
  /** The commits of the newer side that the older side does not contain, oldest first. */
  commits: readonly RepositoryCommit[]
  /** One difference per changed file. */
  diffs: readonly RepositoryDiff[]
  /** Whether a size or time limit was reached, so that the result may be incomplete. */
  compareTimeout: boolean
  /** Whether both revisions are the same commit. */
  compareSameRef: boolean
  /** Full path of the project, for URLs. */
  projectPath: string
  /** SHA of the commit that the differences start from. */
  fromSha: string
  /** SHA of the newer side. */
  toSha: string
}

/** A file with its Base64 content. */
export interface RepositoryBlob {
  /** Id of the blob, a hexadecimal SHA. */
  sha: string
  /** Size in bytes. */
  size: number
  /** Encoding of `content`; always Base64. */
  encoding: 'base64'
  /** The bytes of the file in Base64. */
  content: string
}

/** The raw bytes of a file. A stream must be consumed or destroyed. */
export interface RawBlob {
  /** Id of the blob, a hexadecimal SHA. */
  sha: string
  /** Size in bytes. */
  size: number
  /** The bytes: in memory up to 1 MiB, otherwise a stream. */
  content: Uint8Array | Readable
}

/** An archive of the files of a commit. The stream must be consumed or destroyed. */
export interface RepositoryArchive {
  /** Suggested file name with the project, the revision and the commit: `web-main-0123…cdef.tar.gz`. */
  fileName: string
  /** Format of the archive: `tar`, `tar.gz`, `tar.bz2` or `zip`. */
  format: ArchiveFormat
  /** The bytes of the archive. */
  content: Readable
}

/** A place in a repository: a revision and a path. */
export interface RepositoryLocation {
  /** The branch, tag or commit SHA, as it was given. */
  ref: string
  /** Path from the root of the repository; empty for the root. It need not exist. */
  path: string
  /** The commit that `ref` resolves to. */
  commit: RepositoryCommit
}

/** A branch and its head commit. */
export interface Branch {
  /** Short name of the branch: `main`. */
  name: string
  /** Full path of the project, for URLs. */
  projectPath: string
  /** Whether it is the default branch of the project. */
  default: boolean
  /** Whether the default branch contains all its commits; false for the default branch itself. */
  merged: boolean
  /** Whether no one can delete it or replace its commits. */
  protected: boolean
  /** Whether developers can push to it. */
  developersCanPush: boolean
  /** Whether developers can merge into it. */
  developersCanMerge: boolean
  /** Whether the current user can push to it. */
  canPush: boolean
  /** The newest commit of the branch. */
  commit: RepositoryCommit
}

/** The release of a tag. */
export interface TagRelease {
  /** Name of the tag. */
  tagName: string
  /** Text in Markdown; null without one. */
  description: string | null
}

/** A tag and its commit. */
export interface Tag {
  /** Short name of the tag: `v1.0`. */
  name: string
  /** Message of an annotated tag; empty for others. */
  message: string
  /** Id of the tag object of an annotated tag, otherwise of the commit. */
  target: string
  /** The commit that the tag points to, also through an annotated tag. */
  commit: RepositoryCommit
  /** The release of the tag; null without one. */
  release: TagRelease | null
  /** Whether only some users can change the tag; always false. */
  protected: boolean
  /** When an annotated tag was created: ISO 8601 with the recorded UTC offset; null for others. */
  createdAt: string | null
}

/** State of a project's repository. */
export interface RepositoryState {
  /** Whether the project has a repository; the first push creates it. */
  exists: boolean
  /** Whether the repository has no commits. */
  empty: boolean
  /** Name of the default branch, also of an empty repository. */
  defaultBranch: string
  /** Hexadecimal SHA of the newest commit of the default branch, or of HEAD without that branch; null without commits. */
  head: string | null
  /** Path in the file system of the host. Administrators only; omitted without a repository. */
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
  ...readTrailers(commit.message),
})

export const toDiff = (file: FileDiff): RepositoryDiff => ({
  oldPath: file.oldPath,
  newPath: file.newPath,
  aMode: file.oldMode,
  bMode: file.newMode,
  diff: file.patch,
  newFile: file.isNew,
  renamedFile: file.isRenamed,
  deletedFile: file.isDeleted,
  collapsed: file.isCollapsed,
  tooLarge: file.isTooLarge,
})

/** The lines that name a file before and after a change. */
export const formatFileHeader = ({ oldPath, newPath, newFile, deletedFile }: RepositoryDiff): string[] => [
  `--- ${newFile ? '/dev/null' : `a/${oldPath}`}`,
  `+++ ${deletedFile ? '/dev/null' : `b/${newPath}`}`,
]

/** Adds these lines to a text difference. */
export const addFileHeader = (file: RepositoryDiff): RepositoryDiff =>
  file.diff.startsWith('@@') ? { ...file, diff: [...formatFileHeader(file), file.diff].join('\n') } : file

export const toComparison = (
  { commits, diffs, overflow, timedOut }: Comparison,
  projectPath: string,
  { from, to, base }: { readonly from: string; readonly to: string; readonly base: string },
): RepositoryComparison => {
  const converted = commits.map((commit) => toCommit(commit, projectPath))
  return {
    commit: converted.at(-1) ?? null,
    commits: converted,
    diffs: diffs.map(toDiff),
    compareTimeout: overflow || timedOut,
    compareSameRef: from === to,
    projectPath,
    fromSha: base,
    toSha: to,
  }
}
