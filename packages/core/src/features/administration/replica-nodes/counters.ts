import * as v from 'valibot'
import { keysOf } from '../../../shared/keys-of.ts'

const Counter = v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0))))

/** The counters that a node may report, as input fields; null if unknown. */
export const counterEntries = {
  /** Delay of the database replication, in seconds. */
  dbReplicationLagSeconds: Counter,
  /** Number of projects. */
  projectsCount: Counter,
  /** Number of replication slots of the database. */
  replicationSlotsCount: Counter,
  /** Number of replication slots in use. */
  replicationSlotsUsedCount: Counter,
  /** Largest amount of write-ahead log that a replication slot retains, in bytes. */
  replicationSlotsMaxRetainedWalBytes: Counter,
  /** Number of git repositories with checked objects. */
  repositoriesCheckedCount: Counter,
  /** Number of git repositories in which the check found damage. */
  repositoriesCheckedFailedCount: Counter,
  /** Id of the newest event on the primary node. */
  lastEventId: Counter,
  /** Time of the newest event on the primary node, in Unix seconds. */
  lastEventTimestamp: Counter,
  /** Id of the last event that the node has processed. */
  cursorLastEventId: Counter,
  /** Time of the last event that the node has processed, in Unix seconds. */
  cursorLastEventTimestamp: Counter,
  /** Number of uploaded files. */
  attachmentsCount: Counter,
  /** Number of uploaded files that the node has replicated. */
  attachmentsSyncedCount: Counter,
  /** Number of uploaded files that failed to replicate. */
  attachmentsFailedCount: Counter,
  /** Number of Git LFS objects. */
  lfsObjectsCount: Counter,
  /** Number of Git LFS objects that the node has replicated. */
  lfsObjectsSyncedCount: Counter,
  /** Number of Git LFS objects that failed to replicate. */
  lfsObjectsFailedCount: Counter,
  /** Number of artifacts of pipeline jobs. */
  jobArtifactsCount: Counter,
  /** Number of artifacts of pipeline jobs that the node has replicated. */
  jobArtifactsSyncedCount: Counter,
  /** Number of artifacts of pipeline jobs that failed to replicate. */
  jobArtifactsFailedCount: Counter,
  /** Number of container repositories. */
  containerRepositoriesCount: Counter,
  /** Number of container repositories that the node has replicated. */
  containerRepositoriesSyncedCount: Counter,
  /** Number of container repositories that failed to replicate. */
  containerRepositoriesFailedCount: Counter,
  /** Number of repositories of designs. */
  designRepositoriesCount: Counter,
  /** Number of repositories of designs that the node has replicated. */
  designRepositoriesSyncedCount: Counter,
  /** Number of repositories of designs that failed to replicate. */
  designRepositoriesFailedCount: Counter,
  /** Number of git repositories of projects. */
  repositoriesCount: Counter,
  /** Number of git repositories of projects that the node has replicated. */
  repositoriesSyncedCount: Counter,
  /** Number of git repositories of projects that failed to replicate. */
  repositoriesFailedCount: Counter,
  /** Number of wiki repositories. */
  wikisCount: Counter,
  /** Number of wiki repositories that the node has replicated. */
  wikisSyncedCount: Counter,
  /** Number of wiki repositories that failed to replicate. */
  wikisFailedCount: Counter,
  /** Number of files of packages. */
  packageFilesCount: Counter,
  /** Number of files of packages that the node has replicated. */
  packageFilesSyncedCount: Counter,
  /** Number of files of packages that failed to replicate. */
  packageFilesFailedCount: Counter,
  /** Number of git repositories with a checksum. */
  repositoriesChecksummedCount: Counter,
  /** Number of git repositories that failed to checksum. */
  repositoriesChecksumFailedCount: Counter,
  /** Number of git repositories with a checksum that differs from that of the primary node. */
  repositoriesChecksumMismatchCount: Counter,
  /** Number of git repositories with the checksum of the primary node. */
  repositoriesVerifiedCount: Counter,
  /** Number of git repositories that failed verification. */
  repositoriesVerificationFailedCount: Counter,
  /** Number of git repositories that are being verified again. */
  repositoriesRetryingVerificationCount: Counter,
  /** Number of wiki repositories with a checksum. */
  wikisChecksummedCount: Counter,
  /** Number of wiki repositories that failed to checksum. */
  wikisChecksumFailedCount: Counter,
  /** Number of wiki repositories with a checksum that differs from that of the primary node. */
  wikisChecksumMismatchCount: Counter,
  /** Number of wiki repositories with the checksum of the primary node. */
  wikisVerifiedCount: Counter,
  /** Number of wiki repositories that failed verification. */
  wikisVerificationFailedCount: Counter,
  /** Number of wiki repositories that are being verified again. */
  wikisRetryingVerificationCount: Counter,
}

export type Counter = keyof typeof counterEntries

export const replicaCounters = keysOf(counterEntries)

/** All counters of a node; null if unknown. */
export type Counters = { -readonly [C in keyof typeof counterEntries]: number | null }
