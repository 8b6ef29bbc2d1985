/** Limits of the git port. Times are milliseconds, sizes bytes. */
export interface GitLimits {
  /** Concurrent git processes, without lookup processes. */
  readonly processes: number
  /** Concurrent git processes that wait for a remote server. They do not count as `processes`. */
  readonly remoteProcesses: number
  /** Calls that wait for a process; a further call fails as `limited`. */
  readonly queuedCalls: number
  /** Lookup processes: at most one `git cat-file` process for each repository in use. */
  readonly lookupProcesses: number
  /** An unused lookup process ends after this time. */
  readonly idleTimeout: number
  /** References, object lookups, merge bases, commit lists. */
  readonly readTimeout: number
  readonly compareTimeout: number
  readonly contributorsTimeout: number
  /** Commits, tags, reference changes, clones. */
  readonly writeTimeout: number
  readonly maintainTimeout: number
  /** A complete stream of an archive or file. */
  readonly streamTimeout: number
  /** A stream from which the consumer reads nothing. */
  readonly stallTimeout: number
  readonly pushTimeout: number
  /** Output of one git process. */
  readonly outputBytes: number
  readonly archiveBytes: number
  /** Default limit of a file that is read into memory. */
  readonly blobBytes: number
  /** Distinct directories that one recursive listing reads. */
  readonly listedDirectories: number
  /** Entries of a commit in an archive. */
  readonly archiveEntries: number
  /** Commits of one comparison. */
  readonly comparedCommits: number
  /** Sum of the patches of one comparison. */
  readonly patchBytes: number
  /** Each cache: directories, comparisons, line counts and others. */
  readonly cacheBytes: number
}

const minute = 60_000
const mebibyte = 1024 ** 2

export const defaultGitLimits: GitLimits = {
  processes: 4,
  remoteProcesses: 8,
  queuedCalls: 32,
  lookupProcesses: 16,
  idleTimeout: minute,
  readTimeout: minute / 2,
  compareTimeout: minute / 2,
  contributorsTimeout: minute,
  writeTimeout: 2 * minute,
  maintainTimeout: 10 * minute,
  streamTimeout: 15 * minute,
  stallTimeout: minute,
  pushTimeout: 10 * minute,
  outputBytes: 256 * mebibyte,
  archiveBytes: 4096 * mebibyte,
  blobBytes: 50 * mebibyte,
  listedDirectories: 200_000,
  archiveEntries: 1_000_000,
  comparedCommits: 20_000,
  patchBytes: 32 * mebibyte,
  cacheBytes: 32 * mebibyte,
}
