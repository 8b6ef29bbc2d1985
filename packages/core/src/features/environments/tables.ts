import type { Generated } from 'kysely'
import type { DeploymentJobRecord, DeploymentStatus } from './deployment.ts'
import type { EnvironmentState } from './environment.ts'
import type { DeployLevel } from './protected-environment.ts'

export interface EnvironmentTables {
  environment: {
    id: Generated<number>
    projectId: number
    name: string
    slug: string
    externalUrl: string | null
    state: EnvironmentState
    createdAt: string
    updatedAt: string
  }
  deployment: {
    id: Generated<number>
    /** The deployment number within the project. */
    iid: number
    projectId: number
    environmentId: number
    /** The user who deployed; null after the user is removed. */
    userId: number | null
    ref: string
    sha: string
    status: DeploymentStatus
    /** The job that deployed, as the host described it; null for a deployment without a job. */
    job: DeploymentJobRecord | null
    createdAt: string
    updatedAt: string
  }
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
