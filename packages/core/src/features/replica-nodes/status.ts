/** Kinds of objects with counters for total, synchronised and failed, and a percentage of synchronised ones. */
export const syncedKinds = [
  'attachments',
  'lfsObjects',
  'jobArtifacts',
  'containerRepositories',
  'designRepositories',
  'repositories',
  'wikis',
  'packageFiles',
] as const

export type SyncedKind = (typeof syncedKinds)[number]

/** Kinds of objects that nodes checksum and verify. */
export const verifiedKinds = ['repositories', 'wikis'] as const

export type VerifiedKind = (typeof verifiedKinds)[number]

type SyncCounter = `${SyncedKind}${'Count' | 'SyncedCount' | 'FailedCount'}`

type VerificationCounter = `${VerifiedKind}${
  | 'ChecksummedCount'
  | 'ChecksumFailedCount'
  | 'ChecksumMismatchCount'
  | 'VerifiedCount'
  | 'VerificationFailedCount'
  | 'RetryingVerificationCount'}`

const otherCounters = [
  'dbReplicationLagSeconds',
  'projectsCount',
  'replicationSlotsCount',
  'replicationSlotsUsedCount',
  'replicationSlotsMaxRetainedWalBytes',
  'repositoriesCheckedCount',
  'repositoriesCheckedFailedCount',
  'lastEventId',
  'lastEventTimestamp',
  'cursorLastEventId',
  'cursorLastEventTimestamp',
] as const

export type Counter = SyncCounter | VerificationCounter | (typeof otherCounters)[number]

const verificationSuffixes = [
  'ChecksummedCount',
  'ChecksumFailedCount',
  'ChecksumMismatchCount',
  'VerifiedCount',
  'VerificationFailedCount',
  'RetryingVerificationCount',
] as const

/** All counters that a node may report; null if unknown. Timestamps are in Unix seconds. */
export const replicaCounters: readonly Counter[] = [
  ...otherCounters,
  ...syncedKinds.flatMap((kind) => [`${kind}Count`, `${kind}SyncedCount`, `${kind}FailedCount`] as const),
  ...verifiedKinds.flatMap((kind) => verificationSuffixes.map((suffix) => `${kind}${suffix}` as const)),
]

/** The status that a node reports. */
export interface ReportedStatus extends Readonly<Partial<Record<Counter, number | null>>> {
  readonly healthy: boolean
  /** Description of the problem. */
  readonly health: string | null
  readonly missingOauthApplication: boolean
  readonly version: string | null
  readonly revision: string | null
}

export type Percentage =
  | `${SyncedKind}SyncedInPercentage`
  | `${VerifiedKind}${'ChecksummedInPercentage' | 'VerifiedInPercentage'}`
  | 'repositoriesCheckedInPercentage'
  | 'replicationSlotsUsedInPercentage'

/** The status of a node: specification 2, "Replica node". Percentages have two decimals: `97.56%`. */
export type ReplicaStatus = { [C in Counter]: number | null } & { [P in Percentage]: string } & {
  geoNodeId: number
  healthy: boolean
  health: string
  healthStatus: 'Healthy' | 'Unhealthy'
  missingOauthApplication: boolean
  /** Unix seconds. */
  lastSuccessfulStatusCheckTimestamp: number
  version: string | null
  revision: string | null
}

/** The counters from which each percentage is calculated. */
const percentageParts: Readonly<Record<Percentage, readonly [part: Counter, whole: Counter]>> = {
  ...(Object.fromEntries(
    syncedKinds.map((kind) => [`${kind}SyncedInPercentage`, [`${kind}SyncedCount`, `${kind}Count`]]),
  ) as Record<`${SyncedKind}SyncedInPercentage`, [Counter, Counter]>),
  repositoriesChecksummedInPercentage: ['repositoriesChecksummedCount', 'repositoriesCount'],
  wikisChecksummedInPercentage: ['wikisChecksummedCount', 'wikisCount'],
  repositoriesVerifiedInPercentage: ['repositoriesVerifiedCount', 'repositoriesCount'],
  wikisVerifiedInPercentage: ['wikisVerifiedCount', 'wikisCount'],
  repositoriesCheckedInPercentage: ['repositoriesCheckedCount', 'repositoriesCount'],
  replicationSlotsUsedInPercentage: ['replicationSlotsUsedCount', 'replicationSlotsCount'],
}

/** Names of the percentages in a status. */
export const replicaPercentages = Object.keys(percentageParts) as readonly Percentage[]

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
