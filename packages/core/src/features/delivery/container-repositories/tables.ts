import type { Generated } from 'kysely'

/** State of the deletion of a repository. `delete_failed`: the attempts have ended; a new request starts it again. */
export type ContainerRepositoryStatus = 'delete_scheduled' | 'delete_ongoing' | 'delete_failed'

export interface RegistryTables {
  containerRepository: {
    id: Generated<number>
    projectId: number
    /** Below the project's path; empty for the repository of the project itself. */
    name: string
    /** State of a requested deletion; null if none was requested. */
    status: ContainerRepositoryStatus | null
    /** Time of the last accepted bulk deletion. */
    cleanupAskedAt: string | null
    /** Time of the last cleanup by the policy of the project. */
    cleanupPolicyStartedAt: string | null
    createdAt: string
  }
  /** Tags that are stored in the database, not in an external registry: see the port `registry`. */
  containerTag: {
    id: Generated<number>
    containerRepositoryId: number
    name: string
    digest: string
    revision: string | null
    totalSize: number | null
    /** When the image was built, according to its pusher. */
    createdAt: string | null
    /** Time of the last change of the tag. */
    putAt: string
  }
}
