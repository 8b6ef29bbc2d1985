/** Bounds of the git port. Times are milliseconds, sizes bytes. */
export interface GitLimits {
  /** git processes that work at once, those that only answer object lookups aside. */
  readonly children: number
  /** Calls that may wait for one of them; the next is refused as `limited`. */
  readonly waiting: number
  /** Repositories that keep a process for object lookups. */
  readonly readers: number
  /** An unused lookup process ends after this time. */
  readonly idleTime: number
  /** References, object lookups, merge bases, commit lists. */
  readonly readTime: number
  readonly compareTime: number
  readonly contributorsTime: number
  /** Commits, tags, reference changes, clones. */
  readonly writeTime: number
  readonly maintainTime: number
  /** A whole archive or file that is streamed. */
  readonly streamTime: number
  /** A streamed answer of which the consumer takes nothing. */
  readonly stallTime: number
  readonly pushTime: number
  /** What one git process may print. */
  readonly outputBytes: number
  readonly archiveBytes: number
  /** A file that is read into memory, unless the call says otherwise. */
  readonly blobBytes: number
  /** Distinct directories that one recursive listing may read. */
  readonly directories: number
  /** Entries of a commit that may still be archived. */
  readonly archiveEntries: number
  /** Commits of one comparison. */
  readonly commits: number
  /** Patches of one comparison together. */
  readonly patchBytes: number
  /** Each of the caches: directories, comparisons, lines per commit. */
  readonly cacheBytes: number
}

const minute = 60_000
const mebibyte = 1024 ** 2

export const defaultLimits: GitLimits = {
  children: 4,
  waiting: 32,
  readers: 16,
  idleTime: minute,
  readTime: minute / 2,
  compareTime: minute / 2,
  contributorsTime: minute,
  writeTime: 2 * minute,
  maintainTime: 10 * minute,
  streamTime: 15 * minute,
  stallTime: minute,
  pushTime: 10 * minute,
  outputBytes: 256 * mebibyte,
  archiveBytes: 4096 * mebibyte,
  blobBytes: 50 * mebibyte,
  directories: 200_000,
  archiveEntries: 1_000_000,
  commits: 20_000,
  patchBytes: 32 * mebibyte,
  cacheBytes: 32 * mebibyte,
}
