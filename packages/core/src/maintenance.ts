/** Maintenance for hosts: online backups, integrity checks and rebuilding counters. */
import './db/supported-node.ts'

export { readFileIdentity } from './db/data-file.ts'
export { type ConsumerState, listEventConsumers } from './db/event-consumers.ts'
export {
  checkDatabase,
  type DatabaseCheck,
  type FailedJob,
  listFailedJobs,
  listRepositoryStorageKeys,
  listUploadedFiles,
} from './db/integrity-check.ts'
export { rebuildCounters, verifyCounters } from './db/issue-counters.ts'
export { selectSqliteDriver } from './db/sqlite-driver/load.ts'
export {
  checkpointSqlite,
  checkSqliteFile,
  copySqlite,
  type SqliteFileCheck,
} from './db/sqlite-maintenance.ts'
export type { Handle } from './kernel/store.ts'
