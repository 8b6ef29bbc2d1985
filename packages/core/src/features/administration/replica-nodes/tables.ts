import type { Generated } from 'kysely'
import type { SelectiveSync } from './replica-node.ts'
import type { ReportedStatus } from './status.ts'

export interface ReplicaNodeTables {
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
    /** The last reported status; null before the first report. */
    status: ReportedStatus | null
    statusAt: string | null
    createdAt: string
    updatedAt: string
  }
}
