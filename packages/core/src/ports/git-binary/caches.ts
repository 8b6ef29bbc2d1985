import { LRUCache } from 'lru-cache'
import type { Comparison, ContributorTotals } from '../git.ts'
import type { PackedReferences } from './reference-files.ts'
import type { Tree, TreeTotals } from './tree-object.ts'

/** The author of a commit and the lines that the commit changes. */
export interface CommitLineCounts {
  readonly name: string
  readonly email: string
  readonly additions: number
  readonly deletions: number
}

/**
 * Immutable results. A key consists of the repository directory, `\0`, and object ids or the version of a file. Every cache
 * drops its least recently used entries.
 */
export interface GitCaches {
  readonly packedReferences: LRUCache<string, PackedReferences>
  /** The commit of the object that a reference points to. */
  readonly peeledCommits: LRUCache<string, string>
  /** The highest `maximumBytes` that each blob is known to exceed. */
  readonly rejectedBlobSizes: LRUCache<string, number>
  readonly trees: LRUCache<string, Tree>
  readonly treeTotals: LRUCache<string, TreeTotals>
  readonly comparisons: LRUCache<string, Comparison>
  /** `false` when the commits have no common ancestor. */
  readonly mergeBases: LRUCache<string, string | false>
  readonly commitLineCounts: LRUCache<string, CommitLineCounts>
  readonly contributors: LRUCache<string, ContributorTotals>
}

/** Estimated bytes of a cache entry without its key and value. */
const entryOverheadBytes = 150

const estimateReferenceBytes = (references: PackedReferences) =>
  [...references.keys()].reduce((sum, name) => sum + 3 * (name.length + 42), 0)

const estimateComparisonBytes = ({ commits, diffs }: Comparison) =>
  commits.reduce((sum, { message }) => sum + message.length * 2 + 800, 0) +
  diffs.reduce(
    (sum, { oldPath, newPath, patch }) => sum + (oldPath.length + newPath.length + patch.length) * 2 + 200,
    0,
  )

/** `maximumBytes` limits each cache; an entry larger than an eighth of it is not stored. */
export const createGitCaches = (maximumBytes: number): GitCaches => {
  const maxSize = Math.max(1, Math.floor(maximumBytes))
  const createCache = <Value extends NonNullable<unknown>>(estimateBytes: (value: Value) => number) =>
    new LRUCache<string, Value>({
      maxSize,
      maxEntrySize: Math.ceil(maxSize / 8),
      sizeCalculation: (value, key) => estimateBytes(value) + key.length + entryOverheadBytes,
    })
  return {
    packedReferences: createCache(estimateReferenceBytes),
    peeledCommits: createCache(() => 50),
    rejectedBlobSizes: createCache(() => 8),
    trees: createCache(({ cacheBytes }) => cacheBytes),
    treeTotals: createCache(() => 64),
    comparisons: createCache(estimateComparisonBytes),
    mergeBases: createCache(() => 100),
    commitLineCounts: createCache(() => 200),
    contributors: createCache(({ contributors }) => contributors.length * 300),
  }
}

/** Drops every cached result of one repository. */
export const invalidateRepository = (caches: GitCaches, directory: string): void => {
  for (const cache of Object.values(caches)) {
    for (const key of [...cache.keys()]) if (key.startsWith(`${directory}\0`)) cache.delete(key)
  }
}
