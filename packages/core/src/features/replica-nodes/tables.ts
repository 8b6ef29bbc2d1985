import type { Generated } from 'kysely'
import type { SelectiveSync } from './replica-node.ts'
import type { ReportedStatus } from './status.ts'

export interface ReplicaNodeTables {
  /** A site that holds the same things as this one. */
  replicaNode: {
    id: Generated<number>
    name: string
    url: string
    internalUrl: string | null
    primary: boolean
    enabled: boolean
    filesMaxCapacity: number
    reposMaxCapacity: number
    verificationMaxCapacity: number
    containerRepositoriesMaxCapacity: number
    syncObjectStorage: boolean
    selectiveSyncType: SelectiveSync | null
    selectiveSyncShards: string[]
    selectiveSyncNamespaceIds: number[]
    /** Days. */
    minimumReverificationInterval: number
    /** What the node last told of itself; null before it did. */
    status: ReportedStatus | null
    statusAt: string | null
    createdAt: string
    updatedAt: string
  }
}
