import type { Generated } from 'kysely'

export interface RegistryTables {
  containerRepository: {
    id: Generated<number>
    projectId: number
    /** Below the project's path; empty for the repository of the project itself. */
    name: string
    /** Its deletion was asked for; a job is at it, or will be. */
    leaving: Generated<boolean>
    /** When a bulk deletion was last accepted. */
    cleanupAskedAt: string | null
    createdAt: string
  }
  /** Tags of repositories whose images are known by their rows alone: see the port `registry`. */
  containerTag: {
    id: Generated<number>
    containerRepositoryId: number
    name: string
    digest: string
    revision: string | null
    totalSize: number | null
    /** When the image was made, as its maker says. */
    createdAt: string | null
    /** When the tag was last set. */
    putAt: string
  }
}
