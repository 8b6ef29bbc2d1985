import type { Generated } from 'kysely'
import type { DeployLevel } from './protected-environment.ts'

export interface ProtectedEnvironmentTables {
  /** The protection of the environment with this name, which need not exist yet. */
  protectedEnvironment: {
    id: Generated<number>
    projectId: number
    name: string
    createdAt: string
    updatedAt: string
  }
  /** A grant to deploy, to exactly one of an access level, a user and a group. */
  deployAccessLevel: {
    id: Generated<number>
    protectedEnvironmentId: number
    accessLevel: DeployLevel | null
    userId: number | null
    groupId: number | null
  }
}
