import type { Generated } from 'kysely'
import type { EnvironmentTier } from '../../code/pipeline-records/job-environment.ts'
import type { DeploymentJobRecord, DeploymentStatus } from '../deployments/deployment.ts'
import type { AutoStopSetting, EnvironmentState } from './environment.ts'

export interface EnvironmentTables {
  environment: {
    id: Generated<number>
    projectId: number
    name: string
    slug: string
    externalUrl: string | null
    state: EnvironmentState
    /** Null if it follows from the name. */
    tier: EnvironmentTier | null
    /** When the environment is stopped, ISO 8601; null if it is not. */
    autoStopAt: string | null
    description: string | null
    autoStopSetting: AutoStopSetting
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
    /** The pipeline job that deployed; null for a deployment without one, and after the removal of the job. */
    jobId: number | null
    createdAt: string
    updatedAt: string
    /** When the deployment succeeded, failed or was canceled; null before. */
    finishedAt: string | null
  }
  /** A merge request and the first deployment of an environment that contains it. */
  deploymentMergeRequest: { mergeRequestId: number; deploymentId: number }
}
