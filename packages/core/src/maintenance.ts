/** For hosts that look after their data: copies of databases that are in use, and checks. */

export { type Examination, examine, type FailedJob, failedJobs, repositoryPlaces } from './db/examine.ts'
export { copySqlite, examineSqlite, type SqliteFile, settleSqlite } from './db/sqlite-copy.ts'
export { rebuildCounters, verifyCounters } from './features/issues/upkeep.ts'
export type { Handle } from './kernel/store.ts'
