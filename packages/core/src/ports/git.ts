import type { Readable } from 'node:stream'

/**
 * Where repositories live. The default runs the installed `git`; a host may bring its own store.
 *
 * An object id is 40 lower-case hexadecimal characters. Ids that nobody has, malformed ones among them, are `undefined`
 * where a call can say so and `not_found` elsewhere. Every call can also be refused as `limited` (too much git work at
 * once, try again), `unavailable` (it took too long, or git is not there) or `unprocessable` (an answer too large to give);
 * a directory without a repository is `not_found` of kind `Repository`.
 */
export interface Git {
  /** Prepares what is cheapest while the host process is small. Never needed: the first call that has to does the same. */
  start(): Promise<void>
  /** A handle on the bare repository in this directory. Costs nothing and looks at nothing; keep it or ask again. */
  open(directory: string): Repository
  /** A new, empty, bare repository. `conflict` when the directory holds anything already. */
  create(directory: string, options?: CreateOptions): Promise<Repository>
  /** A copy with every branch and tag of a repository on this machine, sharing nothing that could leak. */
  clone(source: string, directory: string): Promise<Repository>
  /** Deletes the repository. `not_found` when the directory holds none; nothing else is ever deleted. */
  remove(directory: string): Promise<void>
  /** Ends every process. Calls still running fail. */
  close(): Promise<void>
}

export interface CreateOptions {
  /** The branch that HEAD names; `main` when left out. */
  readonly defaultBranch?: string
}

/** One bare repository. Texts that came from git are shown as UTF-8, or as Latin-1 where the bytes are not UTF-8. */
export interface Repository {
  readonly directory: string
  exists(): Promise<boolean>

  /** The branch HEAD names, and its tip; the tip is absent while the repository is empty. */
  head(): Promise<Head>
  setHead(branch: string): Promise<void>
  /**
   * The commit a reader means by a branch, a tag, a full id, 7 to 39 hexadecimal characters that begin exactly one commit,
   * or `HEAD`. A full id wins, then a tag, then a branch, then a short id, as in git itself. No revision expressions: text
   * that is none of these, whatever it holds and however long it is, is `undefined` and never reaches git.
   */
  resolve(reference: string): Promise<string | undefined>
  /** The tip of exactly this branch, whatever tags are called. */
  branch(name: string): Promise<string | undefined>
  /** The commit that exactly this tag marks. */
  tag(name: string): Promise<string | undefined>
  /** Every branch, ordered by the bytes of its name. */
  branches(): Promise<readonly Reference[]>
  /** Every tag that marks a commit, ordered likewise. */
  tags(): Promise<readonly Reference[]>
  /** All of the changes or none. `conflict` when a reference is not where the caller thinks it is. */
  updateReferences(changes: readonly ReferenceChange[]): Promise<void>
  /** `conflict` when the tag exists. */
  createTag(tag: NewTag): Promise<void>

  /**
   * Writes commits in the order given and moves their branches, all together or not at all; answers their ids.
   * `conflict` when a branch moved meanwhile or would lose commits.
   */
  write(commits: readonly NewCommit[]): Promise<readonly string[]>

  commit(id: string): Promise<Commit | undefined>
  /**
   * The entries below a path: directories, then files (symbolic links among them), then submodules, each in git's order and
   * grouped so over the whole list, also when recursive. `undefined` for an unknown commit; no entries for an unknown path,
   * for the path of a file, and for one that tries to climb with `..`.
   */
  tree(request: TreeRequest): Promise<TreePage | undefined>
  /** The whole content of a file. `undefined` unless the id is that of a blob, `unprocessable` above `maximumBytes`. */
  blob(id: string, options?: BlobOptions): Promise<Blob | undefined>
  /** Likewise, but of any size and never whole in memory. A stream that is destroyed early leaves no process behind. */
  blobStream(id: string, options?: Abortable): Promise<BlobStream | undefined>

  /** How many commits `of` contains that none of `without` does. `not_found` for an unknown commit. */
  count(request: CountRequest): Promise<number>
  /** What `to` has that `from` has not. `not_found` for an unknown commit. */
  compare(request: CompareRequest): Promise<Comparison>
  /** The best common ancestor of all the commits, 1 to 100 of them; `undefined` when histories never met. */
  mergeBase(commits: readonly string[], options?: Abortable): Promise<string | undefined>
  /**
   * Who wrote the newest 2,000 commits that are no merges, grouped by the exact e-mail of the author, the writer of the
   * newest commit first. Counted once per commit: asking again, also after new commits, only counts what is new.
   */
  contributors(commit: string, options?: Abortable): Promise<readonly Contributor[]>
  /** The files of a commit as one archive. Bytes flow as they are read; a stream destroyed early leaves no process. */
  archive(request: ArchiveRequest): Promise<Readable>

  /** Makes another repository look like this one. `unprocessable`, with git's own words, when the other side refuses. */
  push(request: PushRequest): Promise<PushReport>
  /** Bytes that the objects take on disk. */
  size(): Promise<number>
  /** Packs objects and references and writes the commit graph. For a quiet hour: it changes no answer, only its speed. */
  maintain(): Promise<void>
}

export interface Abortable {
  /** The caller has gone: what runs for it alone is ended. */
  readonly signal?: AbortSignal
}

export interface Head {
  /** Absent when HEAD is a commit of its own. */
  readonly branch?: string
  readonly commit?: string
}

export interface Reference {
  readonly name: string
  /** The commit, also for an annotated tag. */
  readonly commit: string
}

export interface ReferenceChange {
  /** In full: `refs/heads/main`. */
  readonly name: string
  /** Where it is now; `undefined` when it must not exist. */
  readonly from: string | undefined
  /** Where it goes; `undefined` removes it. */
  readonly to: string | undefined
}

/** Somebody as commits and tags name them; no user of the platform need have that address. */
export interface Person {
  readonly name: string
  readonly email: string
}

/** Who did something and when. */
export interface Signature extends Person {
  /** ISO 8601; its offset is recorded, seconds are the finest unit. */
  readonly date: string
}

export interface NewTag {
  readonly name: string
  readonly commit: string
  /** An annotated tag, when given. */
  readonly annotation?: { readonly message: string; readonly tagger: Signature }
}

/** A commit described as data. */
export interface NewCommit {
  readonly branch: string
  readonly message: string
  readonly author: Signature
  /** The author, when left out. */
  readonly committer?: Signature
  /**
   * Ids of commits, or places of earlier commits in the same list, counted from 0; none for a root commit.
   * When left out: the commit before it on the same branch, or a root commit on a new one.
   */
  readonly parents?: readonly (string | number)[]
  /** Applied in order to the files of the first parent. */
  readonly files: readonly FileChange[]
}

/** A path inside the repository, without `.`, `..` and `.git`; as bytes when it is not UTF-8. */
export type FilePath = string | Uint8Array

export type FileChange =
  | {
      readonly path: FilePath
      readonly content: string | Uint8Array
      /** How a text stands for bytes; `text` is UTF-8 and the default. */
      readonly encoding?: 'text' | 'base64'
      /** File, executable file or symbolic link; `100644` when left out. */
      readonly mode?: '100644' | '100755' | '120000'
    }
  | { readonly path: FilePath; readonly submodule: string }
  | { readonly path: FilePath; readonly removed: true }
  | { readonly path: FilePath; readonly movedFrom: FilePath }

export interface Commit {
  readonly id: string
  /** The first line that is not blank, or `No commit message`. */
  readonly title: string
  readonly message: string
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Person
  /** ISO 8601 with the offset that was recorded: `2012-09-20T09:06:12.000+03:00`. */
  readonly authoredAt: string
  readonly committer: Person
  readonly committedAt: string
}

export interface TreeRequest extends Abortable {
  readonly commit: string
  /** Below this directory; the root when left out or empty. */
  readonly path?: string
  readonly recursive?: boolean
  /** Entries to leave out at the beginning; 0 when left out. */
  readonly offset?: number
  /** At most so many entries; all when left out. */
  readonly limit?: number
}

/** A file, a directory or a submodule in a tree of a commit. */
export interface TreeEntry {
  readonly id: string
  readonly name: string
  /** From the root of the repository. */
  readonly path: string
  /** `commit` is a submodule. */
  readonly type: 'tree' | 'blob' | 'commit'
  /** Six octal digits: `040000`. */
  readonly mode: string
}

export interface TreePage {
  readonly entries: readonly TreeEntry[]
  /** Entries on all pages together. */
  readonly total: number
}

export interface BlobOptions {
  readonly maximumBytes?: number
}

export interface Blob {
  readonly id: string
  readonly size: number
  readonly content: Uint8Array
}

export interface BlobStream {
  readonly id: string
  readonly size: number
  readonly content: Readable
}

export interface CountRequest extends Abortable {
  readonly of: string
  readonly without: readonly string[]
}

export interface CompareRequest extends Abortable {
  readonly from: string
  readonly to: string
  /** Differences between the two commits themselves, not since they parted. Commits are listed alike in both forms. */
  readonly straight?: boolean
  /** The patch of one file above so many bytes is left out; 100 KiB when left out. */
  readonly maximumPatchBytes?: number
}

export interface Comparison {
  /** Those reachable from `to` and not from `from`, oldest first. */
  readonly commits: readonly Commit[]
  readonly diffs: readonly FileDifference[]
  /** More than 100 files, 5,000 lines or 500 KiB of patches, or so many commits that the oldest were left out. */
  readonly overflow: boolean
  /** Time ran out: the commits are complete, differences may be missing or without their patch. */
  readonly timedOut: boolean
}

export interface FileDifference {
  readonly oldPath: string
  readonly newPath: string
  /** Six octal digits, or `0` where there is no file on that side. */
  readonly oldMode: string
  readonly newMode: string
  /** Unified, from the first `@@` line on; one sentence for binary files; empty when too large. */
  readonly patch: string
  readonly isNew: boolean
  readonly isRenamed: boolean
  readonly isDeleted: boolean
}

/** Somebody who has written commits of a history, with how much. Merges are not counted. */
export interface Contributor extends Person {
  readonly commits: number
  /** Lines. Binary files count none. */
  readonly additions: number
  readonly deletions: number
}

/** How a tree is packed into one file. */
export type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.bz2' | 'zip'

export interface ArchiveRequest extends Abortable {
  readonly commit: string
  readonly format: ArchiveFormat
  /** The directory that all files are put into. What would climb out of it is dropped. */
  readonly prefix?: string
}

export interface PushRequest extends Abortable {
  /** `https`, `http`, `ssh` or `git`. A user and a password in it are taken out and treated as `credentials`. */
  readonly url: string
  readonly credentials?: { readonly username: string; readonly password: string }
  /** Only these branches; all branches when left out. Those that do not exist are left alone on the other side. */
  readonly branches?: readonly string[]
  /** Tags too. By default when all branches go. */
  readonly tags?: boolean
  /** Leaves references alone that the other side has moved elsewhere, instead of overwriting them. */
  readonly keepDivergentReferences?: boolean
  /** The address the host name was checked to have: connected to instead of asking the name service again. */
  readonly address?: string
  /** Milliseconds. */
  readonly timeLimit?: number
}

/** Full names of references. */
export interface PushReport {
  readonly pushed: readonly string[]
  /** Gone here, and their commits part of the default branch: a branch whose work would be lost is never removed. */
  readonly removed: readonly string[]
  /** Left alone because the other side has other commits there. */
  readonly divergent: readonly string[]
}
