import type { GitCaches } from './caches.ts'
import type { Coalescer } from './coalescer.ts'
import type { GitLimits } from './limits.ts'
import type { ObjectLookup } from './reader-pool.ts'
import type { GitRunner } from './runner.ts'

/** One repository with the services that the functions of the git port use. */
export interface GitRuntime extends GitCaches {
  readonly directory: string
  readonly runner: GitRunner
  readonly objects: ObjectLookup
  readonly limits: GitLimits
  readonly coalesce: Coalescer
  /** Whether the repository stores references in the reftable format instead of files. */
  usesReftable(): Promise<boolean>
}
