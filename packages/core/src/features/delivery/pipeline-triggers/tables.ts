import type { Generated } from 'kysely'

export interface PipelineTriggerTables {
  /** A token that creates pipelines of a project on behalf of its owner. */
  pipelineTrigger: {
    id: Generated<number>
    projectId: number
    ownerId: number
    description: string
    /** SHA-256 of the token, in hexadecimal; the token itself is not stored. */
    digest: string
    /** The first characters of the token after its prefix. */
    shortToken: string
    /** The time from which the token is invalid, or null. */
    expiresAt: string | null
    createdAt: string
    updatedAt: string
    lastUsed: string | null
  }
}
