import type { Readable } from 'node:stream'

/**
 * Access to git repositories. The default implementation runs the installed `git`; a host may provide another one.
 *
 * An object id is 40 lower-case hexadecimal characters. For unknown and malformed ids, a method returns `undefined` if its
 * type allows it and throws `not_found` otherwise. Every method can also throw `limited` (too many git calls at once, retry),
 * `unavailable` (timeout, or git is not installed) or `unprocessable` (the result is too large). When the repository is missing
 * or damaged, methods throw another error than `PlatformError`, never an empty result.
 */
export interface Git {
  /** Starts the helper process early, while the host process is small and forking is cheap. Optional. */
  start(): Promise<void>
  /** Returns a handle of the bare repository in this directory, without accessing it. Cheap to call repeatedly. */
  open(directory: string): Repository
  /** Creates an empty bare repository. Throws `conflict` when the directory is not empty. */
  create(directory: string, options?: CreateOptions): Promise<Repository>
  /**
   * Copies the branches and tags of a local repository, without shared object files and unreachable objects. HEAD of the copy
   * is the branch of HEAD in the source, or detached as in the source.
   */
  clone(source: string, directory: string, options?: CloneOptions): Promise<Repository>
  /** Deletes the repository. Throws `not_found` when the directory contains no repository, and deletes nothing then. */
  remove(directory: string): Promise<void>
  /** Stops every process. Running calls fail. */
  close(): Promise<void>
}

export interface CloneOptions extends Abortable {
  /** Also copies all other references, so that the copy can replace the source. Default: false. */
  readonly allReferences?: boolean
}

export interface CreateOptions {
  /** The branch of HEAD. Default: `main`. */
  readonly defaultBranch?: string
}

/** One bare repository. Text is decoded as UTF-8, or as Latin-1 when the bytes are not valid UTF-8. */
export interface Repository {
  readonly directory: string
  /** Whether the directory contains a repository, intact or damaged. */
  exists(): Promise<boolean>
  /** The algorithm of object ids. All other methods support `sha1` only. */
  objectFormat(): Promise<string>

  /** The branch of HEAD and its tip; the tip is omitted in an empty repository. */
  head(): Promise<Head>
  /** Does nothing in a repository with a working tree, whose HEAD belongs to the person who works there. */
  setHead(branch: string): Promise<void>
  /** Branches that a working tree of the repository has checked out: none in a bare repository. */
  checkedOutBranches(): Promise<readonly string[]>
  /**
   * Resolves a branch, a tag, a full id, an unambiguous short id of 7 to 39 characters, or `HEAD` to a commit. A full id takes
   * precedence, then a tag, a branch and a short id, as in git. Features call `resolveName`,
   * for which the default branch precedes a tag. Revision expressions are not supported: any other text
   * resolves to `undefined` and is not passed to git.
   */
  resolve(reference: string): Promise<string | undefined>
  /** The tip of a branch. Does not consider tags of the same name. */
  branch(name: string): Promise<string | undefined>
  /** The commit that a tag points to. */
  tag(name: string): Promise<string | undefined>
  /** All branches, in byte order of their names. */
  branches(): Promise<readonly GitReference[]>
  /** All tags that point to a commit, in byte order of their names. */
  tags(): Promise<readonly GitReference[]>
  /** The object id of a reference by its full name, such as `refs/heads/main`; of an annotated tag, the tag object. */
  reference(name: string): Promise<string | undefined>
  /** The commit that an object is or, as an annotated tag, points to; `undefined` for others, such as a tag of a file. */
  peel(id: string): Promise<string | undefined>
  /** Applies all changes or none. Throws `conflict` when a reference does not have its expected value. */
  updateReferences(changes: readonly ReferenceUpdate[]): Promise<void>
  /** Throws `conflict` when the tag exists. */
  createTag(tag: NewTag, options?: UpdateOptions): Promise<void>

  /**
   * Writes commits in order, moves their branches in one transaction and returns the ids of the commits. Throws `conflict`
   * when a branch was moved concurrently or would lose commits.
   */
  writeCommits(commits: readonly NewCommit[], options?: UpdateOptions): Promise<readonly string[]>
  /**
   * Merges the changes between `base` and `theirs` into `ours` and writes the resulting tree. Moves no reference. Throws
   * `not_found` for an unknown commit, and `conflict` for commits without a common ancestor.
   */
  mergeTrees(request: TreeMerge): Promise<MergedTree>
  /** Writes a commit of an existing tree and returns its id. Moves no reference. */
  writeCommit(commit: TreeCommit): Promise<string>

  commit(id: string): Promise<Commit | undefined>
  /**
   * The entries below a path: first directories, then files and symbolic links, then submodules, each group in git's order.
   * A recursive listing has the same three groups. `undefined` for an unknown commit; no entries for an unknown path, the path
   * of a file, and a path that contains `..`.
   */
  tree(request: TreeRequest): Promise<TreePage | undefined>
  /** All files of a commit with their sizes, without submodules and symbolic links. Throws `not_found` for an unknown commit. */
  files(commit: string, options?: Abortable): Promise<readonly SizedFile[]>
  /** Reads a blob into memory. `undefined` for other objects; throws `unprocessable` above `maximumBytes`. */
  blob(id: string, options?: BlobOptions): Promise<Blob | undefined>
  /** Streams a blob of any size. Destroying the stream stops its process. */
  blobStream(id: string, options?: Abortable): Promise<BlobStream | undefined>

  /**
   * Ids of the commits that can be reached from `tips`, newest first. Throws `not_found` for an unknown commit.
   */
  listCommits(request: CommitListRequest): Promise<readonly string[]>
  /** Ids of at most `limit` commits that can be reached from a commit, but from no branch or tag; newest first. */
  newCommits(tip: string, options: Abortable & { readonly limit: number }): Promise<readonly string[]>
  /**
   * The files that commits add or change, compared with their parents, each path and content once. For a merge, only files that
   * differ from those of all parents. A renamed file counts as new.
   */
  changedFiles(commits: readonly string[], options?: Abortable): Promise<readonly ChangedFile[]>
  /** Numbers of changed lines for each commit, compared with its first parent. Binary files count as none. */
  commitStats(ids: readonly string[], options?: Abortable): Promise<ReadonlyMap<string, LineStats>>
  /** The changes of a commit, compared with its first parent. Throws `not_found` for an unknown commit. */
  commitDiffs(id: string, options?: CommitDiffOptions): Promise<readonly FileDiff[]>
  /** Full names of the branches and tags that contain a commit. */
  referencesContaining(commit: string, options?: Abortable): Promise<readonly string[]>
  /** Names of the branches that are fully contained in a commit. */
  branchesMergedInto(commit: string, options?: Abortable): Promise<readonly string[]>
  /** Paths of the text files of a commit that contain a text, ignoring case. Throws `not_found` for an unknown commit. */
  searchFiles(request: FileSearchRequest): Promise<readonly string[]>
  /** The lines of a file with the commits that last changed them. Throws `not_found` for an unknown file. */
  blame(request: BlameRequest): Promise<readonly BlameRange[]>
  /** The annotation of an annotated tag, by the id of the tag object; `undefined` for other objects. */
  annotation(id: string): Promise<TagAnnotation | undefined>

  /** The signature of a commit or annotated tag, by its id; `undefined` for other objects and those without one. */
  signature(id: string): Promise<ObjectSignature | undefined>

  /** Counts the commits reachable from `commit` but not from `exclude`. Throws `not_found` for an unknown commit. */
  countCommits(request: CommitCountRequest): Promise<number>
  /**
   * For each of many commits, the number of commits that can be reached from it, but neither from `exclude` nor from the commits
   * before it in the list. Takes one process.
   */
  countEachCommits(request: CommitCountsRequest): Promise<readonly number[]>
  /** Those of the commits that `from` contains. Unknown commits are omitted; throws for an unknown `from`. */
  findReachable(request: ReachabilityRequest): Promise<readonly string[]>
  /** The commits and changes of `to` relative to `from`. Throws `not_found` for an unknown commit. */
  compare(request: CompareRequest): Promise<Comparison>
  /** The best common ancestor of 1 to 100 commits; `undefined` for unrelated histories. */
  mergeBase(commits: readonly string[], options?: Abortable): Promise<string | undefined>
  /**
   * The authors of the newest 2,000 commits without merges, grouped by their exact e-mail address and ordered by their newest
   * commit. Line counts are cached for each commit, so a later call only counts new commits.
   */
  contributors(commit: string, options?: Abortable): Promise<ContributorTotals>
  /**
   * The authors of all commits without merges, in batches of at most 2,000 commits, newest first; each is grouped like
   * `contributors`. Throws `not_found` for an unknown commit.
   */
  countContributors(request: ContributorCountRequest): AsyncIterable<ContributorTotals>
  /** Whether a commit can be reached from another one; also true when both are the same. */
  isAncestor(ancestor: string, commit: string, options?: Abortable): Promise<boolean>
  /** Streams an archive of a commit. Destroying the stream stops its processes. */
  archive(request: ArchiveRequest): Promise<Readable>
  /**
   * Streams a bundle (gitformat-bundle, version 2) of all branches and tags. Fails for a repository without any. Destroying the
   * stream stops its process.
   */
  bundle(options?: Abortable): Promise<Readable>

  /** Streams the references and capabilities that a client of git's HTTP protocol requests first (gitprotocol-http). */
  advertise(request: AdvertisementRequest): Promise<Readable>
  /** Streams the response to one request of a fetch over git's HTTP protocol. Destroying the stream stops the process. */
  uploadPack(request: UploadPackRequest): Promise<Readable>
  /**
   * Receives the objects of a push, without moving references. Nothing is kept unless all objects are valid and everything that
   * `tips` refer to exists. Throws `unprocessable` with the message of git for other packs, and for one that is too large.
   */
  receiveObjects(request: ReceiveRequest): Promise<void>

  /**
   * Copies a commit and everything that it refers to from another local repository. Moves no reference. Throws `not_found` if the
   * other repository does not contain the commit.
   */
  fetchObjects(request: FetchRequest): Promise<void>

  /**
   * Makes the branches and tags equal to those of a remote repository, or fetches only objects. Throws `unprocessable` when the remote fails or has invalid
   * objects: with the reason `credentials` when it rejects the credentials, otherwise with the message of git, without secrets.
   */
  fetchRemote(request: RemoteFetchRequest): Promise<RemoteFetchReport>

  /**
   * Mirrors branches and tags to a remote repository. Throws `unprocessable` when the remote fails: with the reason `credentials`
   * when it rejects the credentials, otherwise with the message of git, without secrets.
   */
  push(request: PushRequest): Promise<PushReport>
  /**
   * Reads every object and describes each damage: missing and unreadable objects and references. Takes minutes for large
   * repositories. Ignores unusual formats that git can read.
   */
  findDamage(options?: Abortable): Promise<readonly string[]>
  /** Size of the objects on disk, in bytes. */
  size(): Promise<number>
  /**
   * Removes what an interrupted write has left: lock files older than 10 seconds, and references to commits that no branch
   * received. Call it while no other call writes to the repository.
   */
  recover(): Promise<void>
  /**
   * Packs objects and references and writes the commit graph. Results stay the same; run it at times of low load. Removes objects that
   * nothing refers to after two weeks, with `prune` after 30 minutes.
   */
  maintain(options?: { readonly prune?: boolean }): Promise<void>
}

export interface Abortable {
  /** Aborts the call. Work shared with other callers continues for them. */
  readonly signal?: AbortSignal
}

export interface Head {
  /** Omitted when HEAD is detached. */
  readonly branch?: string
  readonly commit?: string
}

export interface GitReference {
  readonly name: string
  /** For an annotated tag, the commit that it points to. */
  readonly commit: string
}

export interface ReferenceUpdate {
  /** The full name: `refs/heads/main`. */
  readonly name: string
  /** The expected current object id; `undefined` when the reference must not exist. */
  readonly from: string | undefined
  /** The new object id; `undefined` removes the reference. */
  readonly to: string | undefined
}

export interface UpdateOptions {
  /** Runs after the objects are written and before the references move. If it fails, no reference moves. */
  readonly beforeUpdate?: (changes: readonly ReferenceUpdate[]) => Promise<void>
  /** Whether branches may lose commits. Default: false. */
  readonly force?: boolean
}

/** Ids of commits. */
export interface TreeMerge extends Abortable {
  readonly ours: string
  readonly theirs: string
  /** Default: the merge base. The parent of a commit as `base` and the commit as `theirs` applies its changes only. */
  readonly base?: string
}

export interface MergedTree {
  readonly tree: string
  /** Paths with conflicts, in byte order. The tree then contains conflict markers. */
  readonly conflicts: readonly string[]
}

export interface TreeCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  readonly author: Signature
  /** Default: the author. */
  readonly committer?: Signature
}

/** The author, committer or tagger of an object. Not necessarily a user of the platform. */
export interface GitIdentity {
  /** Display name, as stored in the commit or tag. */
  readonly name: string
  /** E-mail address, as stored in the commit or tag; not verified. */
  readonly email: string
}

export interface Signature extends GitIdentity {
  /** ISO 8601 with an offset. Stored with the offset, in whole seconds. */
  readonly date: string
}

export interface NewTag {
  readonly name: string
  readonly commit: string
  /** Makes an annotated tag. */
  readonly annotation?: { readonly message: string; readonly tagger: Signature }
}

export interface NewCommit {
  readonly branch: string
  readonly message: string
  readonly author: Signature
  /** Default: the author. */
  readonly committer?: Signature
  /**
   * Ids of commits, or indexes of earlier commits in the same list; empty for a root commit. Default: the previous commit of
   * the branch, or none for a new branch.
   */
  readonly parents?: readonly (string | number)[]
  /** Changes to the files of the first parent, applied in order. */
  readonly files: readonly FileChange[]
}

/**
 * A path inside the repository, without `.`, `..` and `.git`. Bytes when the path is not UTF-8. The path of a new file is rejected if
 * macOS or Windows could read it as absolute or as one of git's files.
 */
export type FilePath = string | Uint8Array

export type FileChange =
  | {
      readonly path: FilePath
      readonly content: string | Uint8Array
      /** Encoding of a string `content`. Default: `text` (UTF-8). */
      readonly encoding?: 'text' | 'base64'
      /** File, executable file or symbolic link. Default: `100644`. */
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
  readonly author: GitIdentity
  /** ISO 8601 with the stored offset: `2012-09-20T09:06:12.000+03:00`. */
  readonly authoredAt: string
  readonly committer: GitIdentity
  readonly committedAt: string
}

export interface TreeRequest extends Abortable {
  readonly commit: string
  /** The directory to list. Default: the root. */
  readonly path?: string
  readonly recursive?: boolean
  /** Number of entries to skip. Default: 0. */
  readonly offset?: number
  /** Maximum number of entries. Default: all. */
  readonly limit?: number
}

/** A file, a directory or a submodule in a tree of a commit. */
export interface TreeEntry {
  /** SHA of the tree or blob, for a submodule of its commit, in hexadecimal. */
  readonly id: string
  /** Last segment of the path. */
  readonly name: string
  /** Path from the root of the repository. */
  readonly path: string
  /** `tree` for a directory, `blob` for a file or symbolic link, `commit` for a submodule. */
  readonly type: 'tree' | 'blob' | 'commit'
  /**
   * Six octal digits: `100644` file, `100755` executable file, `120000` symbolic link, `040000` directory, `160000`
   * submodule.
   */
  readonly mode: string
}

export interface TreePage {
  readonly entries: readonly TreeEntry[]
  /** Number of entries on all pages. */
  readonly total: number
}

export interface BlobOptions {
  readonly maximumBytes?: number
  /** Called with the size before the content is read, which waits for it. */
  readonly onSize?: (bytes: number) => Promise<void> | undefined
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

export interface FileSearchRequest extends Abortable {
  /** Id of a commit. */
  readonly commit: string
  /** Text within one line, not empty. */
  readonly text: string
}

export interface CommitCountsRequest extends Abortable {
  /** Ids of commits. */
  readonly tips: readonly string[]
  /** Ids of commits. */
  readonly exclude: readonly string[]
}

export interface CommitListRequest extends Abortable {
  /** Ids of commits; empty for all branches. */
  readonly tips: readonly string[]
  /** Ids of commits: only commits that cannot be reached from them. */
  readonly exclude?: readonly string[] | undefined
  /** Only commits that change this file or directory. */
  readonly path?: string | undefined
  /** Whether `path` is a file to follow through renames. */
  readonly follow?: boolean | undefined
  /** Only commits committed at or after this time, ISO 8601. */
  readonly since?: string | undefined
  /** Only commits committed at or before this time, ISO 8601. */
  readonly until?: string | undefined
  /** Only commits with this text in the author: `Ada Lovelace <ada@example.com>`. */
  readonly author?: string | undefined
  /** Only commits with this text in the message, ignoring case. */
  readonly message?: string | undefined
  /** Follows only the first parent of merges. */
  readonly firstParent?: boolean | undefined
  /** `topo`: parents never before all their children. Default: by time. */
  readonly order?: 'default' | 'topo' | undefined
  readonly offset: number
  readonly limit: number
}

/** A file that a commit adds or changes. */
export interface ChangedFile {
  readonly path: string
  /** Whether no parent has a file at this path. */
  readonly isNew: boolean
  /** Bytes. */
  readonly size: number
}

/** A file of a commit. */
export interface SizedFile {
  /** Id of the blob. */
  readonly id: string
  readonly path: string
  /** Bytes. */
  readonly size: number
}

export interface LineStats {
  readonly additions: number
  readonly deletions: number
}

export interface CommitDiffOptions extends Abortable {
  /** A larger patch of a file is omitted. Default: 100 KiB. */
  readonly maximumPatchBytes?: number
}

export interface BlameRequest extends Abortable {
  readonly commit: string
  readonly path: string
  /** First and last line, from 1. Default: all. */
  readonly lines?: readonly [number, number]
}

/** Lines that follow each other and have the same commit. */
export interface BlameRange {
  readonly commit: string
  readonly lines: readonly string[]
}

export interface TagAnnotation {
  readonly message: string
  /** ISO 8601 with an offset; undefined for a tag without a tagger. */
  readonly taggedAt: string | undefined
}

/** The signature of a commit or annotated tag. */
export interface ObjectSignature {
  /** One or several armored blocks. */
  readonly text: string
  /** What was signed: the object without its signature. */
  readonly payload: Uint8Array
  /** E-mail address of the committer or tagger. */
  readonly email: string
}

export interface CommitCountRequest extends Abortable {
  readonly commit: string
  readonly exclude: readonly string[]
  /** Follows only the first parent of merges. */
  readonly firstParent?: boolean | undefined
}

/** Ids of commits. */
export interface ReachabilityRequest extends Abortable {
  readonly commits: readonly string[]
  readonly from: string
}

export interface CompareRequest extends Abortable {
  readonly from: string
  readonly to: string
  /** Compares the two commits directly instead of `to` with the merge base. Does not affect the list of commits. */
  readonly straight?: boolean
  /** A larger patch of a file is omitted. Default: 100 KiB. */
  readonly maximumPatchBytes?: number
}

export interface Comparison {
  /** The commits reachable from `to` but not from `from`, oldest first. */
  readonly commits: readonly Commit[]
  readonly diffs: readonly FileDiff[]
  /** More than 100 files, 5,000 lines or 500 KiB of patches, or more commits than `GitLimits.comparedCommits`. */
  readonly overflow: boolean
  /** The time limit was reached: `commits` is complete, but diffs or their patches may be missing. */
  readonly timedOut: boolean
}

export interface FileDiff {
  readonly oldPath: string
  readonly newPath: string
  /** Six octal digits, or `0` when the file does not exist on that side. */
  readonly oldMode: string
  readonly newMode: string
  /** Unified format from the first `@@` line on; one sentence for a binary file; empty when too large. */
  readonly patch: string
  readonly isNew: boolean
  readonly isRenamed: boolean
  readonly isDeleted: boolean
  /** Whether the patch is omitted because it is larger than allowed. */
  readonly isTooLarge: boolean
  /** Whether the patch is omitted because all patches together are larger than allowed, or take too long. */
  readonly isCollapsed: boolean
}

/** An author with totals of their commits, without merges. */
export interface Contributor extends GitIdentity {
  /** Number of commits, without merges. */
  readonly commits: number
  /** Number of added lines, without binary files. */
  readonly additions: number
  /** Number of removed lines, without binary files. */
  readonly deletions: number
}

/** Authors with the totals of some commits. */
export interface ContributorTotals {
  readonly contributors: readonly Contributor[]
  /** Number of commits that the totals cover. */
  readonly commits: number
  /** Whether there are older commits without merges. */
  readonly hasMore: boolean
}

export interface ContributorCountRequest extends Abortable {
  readonly commit: string
  /** Commits that can be reached from this one are not counted. */
  readonly exclude?: string | undefined
  /** Number of commits to skip, from the newest. */
  readonly offset: number
}

/** The format of a repository archive. */
export type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.bz2' | 'zip'

export interface ArchiveRequest extends Abortable {
  readonly commit: string
  readonly format: ArchiveFormat
  /** Only the file or directory at this path. Default: the whole tree. */
  readonly path?: string | undefined
  /** The directory of all files in the archive. Segments such as `..` are removed. */
  readonly prefix?: string
}

export interface FetchRequest extends Abortable {
  /** The directory of the other repository. */
  readonly from: string
  /** Id of a commit of the other repository. */
  readonly commit: string
}

export interface AdvertisementRequest extends Abortable {
  readonly service: 'upload-pack' | 'receive-pack'
  /** Whether the client of a fetch sees references below `refs/merge-requests/`. Clients that push never do. Default: true. */
  readonly showsMergeRequests?: boolean
  /** The version of the protocol that the client requests. Default: 0. */
  readonly protocolVersion?: 1 | 2
}

export interface UploadPackRequest extends Abortable {
  /** Whether the client sees references below `refs/merge-requests/`. Default: true. */
  readonly showsMergeRequests?: boolean
  /**
   * The request of the client, in the format of the protocol. A stream is a whole conversation, which starts with the advertisement of
   * the server, as over SSH.
   */
  readonly input: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  readonly protocolVersion?: 1 | 2
}

export interface ReceiveRequest extends Abortable {
  /** A pack of git; undefined for a push without new objects. */
  readonly pack: AsyncIterable<Uint8Array> | undefined
  /** Whether the stream continues after the pack, which ends with its checksum, as over SSH. Default: false. */
  readonly isOpenEnded?: boolean
  /** Ids of the objects that references will point to. */
  readonly tips: readonly string[]
  /** Default: no limit. */
  readonly maximumBytes?: number | undefined
}

/** A remote repository. */
export interface RemoteRequest extends Abortable {
  /** `https`, `http`, `ssh` or `git`. A username and password in the URL are removed and used as `credentials`. */
  readonly url: string
  readonly credentials?: { readonly username: string; readonly password: string }
  /** The verified IP address of the host: git connects to it instead of resolving the host name again. */
  readonly ipAddress?: string
  /** Milliseconds. */
  readonly timeout?: number
}

/** A branch or tag of a remote repository. */
export interface RemoteReference {
  /** Full name, such as `refs/heads/main`. */
  readonly name: string
  /** Object id; of an annotated tag, the tag object. */
  readonly id: string
}

export interface RemoteFetchRequest extends RemoteRequest {
  /**
   * Selects the branches and tags to fetch. Then only their objects are fetched, and no reference moves. Default: the branches and tags
   * become equal to those of the remote repository.
   */
  readonly select?: (references: readonly RemoteReference[]) => Promise<readonly RemoteReference[]>
}

export interface RemoteFetchReport {
  /** The branch of HEAD; omitted without one. */
  readonly head?: string
}

export interface PushRequest extends RemoteRequest {
  /** The branches to push; branches that do not exist here are not removed from the remote. Default: all branches. */
  readonly branches?: readonly string[]
  /** Whether to push tags. Default: true unless `branches` is set. */
  readonly tags?: boolean
  /** Does not overwrite references that have diverged in the remote. */
  readonly keepDivergentReferences?: boolean
}

/** Full names of references. */
export interface PushReport {
  readonly pushed: readonly string[]
  /** References that do not exist here and are merged into the default branch. Unmerged branches are kept. */
  readonly removed: readonly string[]
  /** Not pushed because of `keepDivergentReferences`. */
  readonly divergent: readonly string[]
  /** Not pushed, because git could change another reference of the remote instead, now or in a later push. */
  readonly ambiguous: readonly string[]
}
