import type { Generated } from 'kysely'
import type { DeploymentStatus, JobRecord } from './deployment.ts'
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
    /** Counts within the project. */
    iid: number
    projectId: number
    environmentId: number
    /** Who deployed; null once they are gone. */
    userId: number | null
    ref: string
    sha: string
    status: DeploymentStatus
    /** The job that deployed, as its host described it; null for a deployment that no job made. */
    job: JobRecord | null
    createdAt: string
    updatedAt: string
  }
  /** An environment that only some may deploy to, by name: it need not exist yet. */
  protectedEnvironment: {
    id: Generated<number>
    projectId: number
    name: string
    createdAt: string
    updatedAt: string
  }
  /** Who may deploy: exactly one of a level, a user and a group. */
  deployAccessLevel: {
    id: Generated<number>
    protectedEnvironmentId: number
    accessLevel: DeployLevel | null
    userId: number | null
    groupId: number | null
  }
}
