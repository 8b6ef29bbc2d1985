import type { Context } from '../../kernel/context.ts'
import type { Platform } from '../../platform-interface.ts'

/** Platforms that use one open transaction. */
export interface JoinedTransaction {
  readonly platform: Platform
  /** The same platform without notifications; with a fixed clock if there is a time, in milliseconds since 1970. */
  at(now?: number): Platform
  /** Work as the host. */
  write<T>(work: (ctx: Context) => Promise<T>): Promise<T>
}

/** The parts of a platform that archives require. */
export interface ArchivePlatform {
  readonly as: Platform['as']
  /** Runs work in one transaction, which excludes all other commands. */
  inTransaction<T>(work: (transaction: JoinedTransaction) => Promise<T>): Promise<T>
}
