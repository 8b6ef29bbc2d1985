import type { Comparison, Contributor } from '../git.ts'
import type { ByteCache } from './byte-cache.ts'
import type { GitLimits } from './limits.ts'
import type { ObjectSource } from './reader-pool.ts'
import type { PackedReferences } from './reference-files.ts'
import type { Runner } from './run.ts'
import type { SharedWork } from './shared-work.ts'
import type { Tree, TreeTotals } from './tree-object.ts'

/** What one commit adds to the account of its author. */
export interface CommitAccount {
  readonly name: string
  readonly email: string
  readonly additions: number
  readonly deletions: number
}

/** Answers that never change, because their keys are the repository and object ids. */
export interface Caches {
  readonly packedReferences: ByteCache<PackedReferences>
  /** The commit that an object of a reference is or marks. */
  readonly marked: ByteCache<string>
  /** Files known to be larger than so many bytes. */
  readonly largerThan: ByteCache<number>
  readonly trees: ByteCache<Tree>
  readonly totals: ByteCache<TreeTotals>
  readonly comparisons: ByteCache<Comparison>
  readonly mergeBases: ByteCache<string | false>
  readonly accounts: ByteCache<CommitAccount>
  readonly contributors: ByteCache<readonly Contributor[]>
}

/** What the parts of the port share: one repository, and the means to work on it. */
export interface Workplace extends Caches {
  readonly directory: string
  readonly runner: Runner
  readonly objects: ObjectSource
  readonly limits: GitLimits
  readonly shared: SharedWork
  /** Whether references are kept in another form than files. */
  hasOtherReferenceStorage(): Promise<boolean>
}
