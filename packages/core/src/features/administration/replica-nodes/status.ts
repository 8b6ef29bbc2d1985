import { keysOf } from '../../../shared/keys-of.ts'
import { type Counter, type Counters, replicaCounters } from './counters.ts'

/** The counters from which each percentage is calculated. */
const percentageParts = {
  /** Share of uploaded files that the node has replicated: `97.56%`. */
  attachmentsSyncedInPercentage: ['attachmentsSyncedCount', 'attachmentsCount'],
  /** Share of Git LFS objects that the node has replicated: `97.56%`. */
  lfsObjectsSyncedInPercentage: ['lfsObjectsSyncedCount', 'lfsObjectsCount'],
  /** Share of artifacts of pipeline jobs that the node has replicated: `97.56%`. */
  jobArtifactsSyncedInPercentage: ['jobArtifactsSyncedCount', 'jobArtifactsCount'],
  /** Share of container repositories that the node has replicated: `97.56%`. */
  containerRepositoriesSyncedInPercentage: ['containerRepositoriesSyncedCount', 'containerRepositoriesCount'],
  /** Share of repositories of designs that the node has replicated: `97.56%`. */
  designRepositoriesSyncedInPercentage: ['designRepositoriesSyncedCount', 'designRepositoriesCount'],
  /** Share of git repositories of projects that the node has replicated: `97.56%`. */
  repositoriesSyncedInPercentage: ['repositoriesSyncedCount', 'repositoriesCount'],
  /** Share of wiki repositories that the node has replicated: `97.56%`. */
  wikisSyncedInPercentage: ['wikisSyncedCount', 'wikisCount'],
  /** Share of files of packages that the node has replicated: `97.56%`. */
  packageFilesSyncedInPercentage: ['packageFilesSyncedCount', 'packageFilesCount'],
  /** Share of git repositories with a checksum: `97.56%`. */
  repositoriesChecksummedInPercentage: ['repositoriesChecksummedCount', 'repositoriesCount'],
  /** Share of wiki repositories with a checksum: `97.56%`. */
  wikisChecksummedInPercentage: ['wikisChecksummedCount', 'wikisCount'],
  /** Share of git repositories with the checksum of the primary node: `97.56%`. */
  repositoriesVerifiedInPercentage: ['repositoriesVerifiedCount', 'repositoriesCount'],
  /** Share of wiki repositories with the checksum of the primary node: `97.56%`. */
  wikisVerifiedInPercentage: ['wikisVerifiedCount', 'wikisCount'],
  /** Share of git repositories with checked objects: `97.56%`. */
  repositoriesCheckedInPercentage: ['repositoriesCheckedCount', 'repositoriesCount'],
  /** Share of replication slots in use: `97.56%`. */
  replicationSlotsUsedInPercentage: ['replicationSlotsUsedCount', 'replicationSlotsCount'],
} as const satisfies Readonly<Record<string, readonly [part: Counter, whole: Counter]>>

export type Percentage = keyof typeof percentageParts
type Percentages = { -readonly [P in keyof typeof percentageParts]: string }

/** The status that a node reports. */
export interface ReportedStatus extends Readonly<Partial<Counters>> {
  readonly healthy: boolean
  /** Description of the problem. */
  readonly health: string | null
  readonly missingOauthApplication: boolean
  readonly version: string | null
  readonly revision: string | null
}

/** The status of a node: specification 2, "Replica node". Percentages have two decimals: `97.56%`. */
export type ReplicaStatus = Counters &
  Percentages & {
    /** Id of the node that reported the status. */
    geoNodeId: number
    /** Whether the node reported that it works without problems. */
    healthy: boolean
    /** Description of the problem; `Healthy` or `Unhealthy` if the node reported none. */
    health: string
    /** `Healthy` or `Unhealthy`, according to `healthy`. */
    healthStatus: 'Healthy' | 'Unhealthy'
    /** Whether the node has no OAuth application for signing in through the primary node; `repair` clears it. */
    missingOauthApplication: boolean
    /** When the node reported this status, in Unix seconds. */
    lastSuccessfulStatusCheckTimestamp: number
    /** Version of the software on the node; null if unknown. */
    version: string | null
    /** Revision of the software on the node; null if unknown. */
    revision: string | null
  }

/** Names of the percentages in a status. */
export const replicaPercentages = keysOf(percentageParts)

/** `97.56%`; `0.00%` if the whole is zero or unknown. */
export const formatPercentage = (part: number | null | undefined, whole: number | null | undefined): string =>
  `${(whole ? (100 * (part ?? 0)) / whole : 0).toFixed(2)}%`

/** Adds the derived values to a reported status. `reportedAt`: ISO 8601. */
export const toReplicaStatus = (geoNodeId: number, reported: ReportedStatus, reportedAt: string): ReplicaStatus => {
  const counters = Object.fromEntries(replicaCounters.map((name) => [name, reported[name] ?? null])) as Record<
    Counter,
    number | null
  >
  const percentages = Object.fromEntries(
    replicaPercentages.map((name) => {
      const [part, whole] = percentageParts[name]
      return [name, formatPercentage(reported[part], reported[whole])]
    }),
  ) as Record<Percentage, string>
  return {
    ...counters,
    ...percentages,
    geoNodeId,
    healthy: reported.healthy,
    health: reported.health ?? (reported.healthy ? 'Healthy' : 'Unhealthy'),
    healthStatus: reported.healthy ? 'Healthy' : 'Unhealthy',
    missingOauthApplication: reported.missingOauthApplication,
    lastSuccessfulStatusCheckTimestamp: Math.floor(Date.parse(reportedAt) / 1_000),
    version: reported.version,
    revision: reported.revision,
  }
}
