import type { Generated } from 'kysely'
import type { DeployTokenScope } from '../../../kernel/scopes.ts'

export interface DeployTokenTables {
  /** A deploy token of exactly one of a project and a group. */
  deployToken: {
    id: Generated<number>
    projectId: number | null
    groupId: number | null
    name: string
    username: string
    /** SHA-256 of the token, in hexadecimal; the token itself is not stored. */
    digest: string
    scopes: readonly DeployTokenScope[]
    /** The time from which the token is invalid, or null. */
    expiresAt: string | null
    createdAt: string
  }
}
