/** Maintenance for hosts: online backups, integrity checks and rebuilding counters. */
import './db/supported-node.ts'

export { copyStore, type StoreCopy } from './db/copy/copy-store.ts'
export { rebuildCounters, verifyCounters } from './db/counters/verify.ts'
export { type ConsumerState, listEventConsumers } from './db/events/consumers.ts'
export {
  checkDatabase,
  type DatabaseCheck,
  type FailedJob,
  listFailedJobs,
  listRepositoryStorageKeys,
  listUploadedFiles,
} from './db/integrity-check.ts'
export { readFileIdentity } from './db/sqlite/data-file.ts'
export { selectSqliteDriver } from './db/sqlite/driver/load.ts'
export {
  checkpointSqlite,
  checkSqliteFile,
  copySqlite,
  type SqliteFileCheck,
} from './db/sqlite/maintenance.ts'
export type { Handle } from './kernel/store.ts'
