/** What nodes count in four ways: how many there are, are synchronised, failed, and how many that is in percent. */
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

/** What nodes checksum and verify. */
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

const others = [
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

export type Counter = SyncCounter | VerificationCounter | (typeof others)[number]

const verifications = [
  'ChecksummedCount',
  'ChecksumFailedCount',
  'ChecksumMismatchCount',
  'VerifiedCount',
  'VerificationFailedCount',
  'RetryingVerificationCount',
] as const

/** Every number that a node may tell; null for what it does not know. Timestamps are seconds since 1970. */
export const counters: readonly Counter[] = [
  ...others,
  ...syncedKinds.flatMap((kind) => [`${kind}Count`, `${kind}SyncedCount`, `${kind}FailedCount`] as const),
  ...verifiedKinds.flatMap((kind) => verifications.map((what) => `${kind}${what}` as const)),
]

/** What a node tells of itself. */
export interface ReportedStatus extends Readonly<Partial<Record<Counter, number | null>>> {
  readonly healthy: boolean
  /** What is wrong, in words. */
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

/** The state of a node: specification 2, "Replica node". Percentages are texts of two decimals: `97.56%`. */
export type ReplicaStatus = { [C in Counter]: number | null } & { [P in Percentage]: string } & {
  geoNodeId: number
  healthy: boolean
  health: string
  healthStatus: 'Healthy' | 'Unhealthy'
  missingOauthApplication: boolean
  /** Seconds since 1970. */
  lastSuccessfulStatusCheckTimestamp: number
  version: string | null
  revision: string | null
}

/** Each percentage: of which number, out of which. */
const shares: Readonly<Record<Percentage, readonly [part: Counter, whole: Counter]>> = {
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

/** Names of the shares in a replica's status: percentages with two places, computed of two counters each. */
export const percentages = Object.keys(shares) as readonly Percentage[]

/** `97.56%`; nothing of nothing is `0.00%`. */
export const percent = (part: number | null | undefined, whole: number | null | undefined): string =>
  `${(whole ? (100 * (part ?? 0)) / whole : 0).toFixed(2)}%`

/** What a node told, with all that follows from it. `at` is when it told. */
export const statusOf = (geoNodeId: number, told: ReportedStatus, at: string): ReplicaStatus => {
  const numbers = Object.fromEntries(counters.map((name) => [name, told[name] ?? null])) as Record<
    Counter,
    number | null
  >
  const texts = Object.fromEntries(
    percentages.map((name) => {
      const [part, whole] = shares[name]
      return [name, percent(told[part], told[whole])]
    }),
  ) as Record<Percentage, string>
  return {
    ...numbers,
    ...texts,
    geoNodeId,
    healthy: told.healthy,
    health: told.health ?? (told.healthy ? 'Healthy' : 'Unhealthy'),
    healthStatus: told.healthy ? 'Healthy' : 'Unhealthy',
    missingOauthApplication: told.missingOauthApplication,
    lastSuccessfulStatusCheckTimestamp: Math.floor(Date.parse(at) / 1_000),
    version: told.version,
    revision: told.revision,
  }
}
