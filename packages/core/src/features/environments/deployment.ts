import type { UserSummary } from '../accounts/user.ts'

export const deploymentStatuses = ['created', 'running', 'success', 'failed', 'canceled'] as const

export type DeploymentStatus = (typeof deploymentStatuses)[number]

/** A deployment of a project to an environment. */
export interface Deployment {
  id: number
  /** The deployment number within the project. */
  iid: number
  /** Branch or tag name. */
  ref: string
  /** Commit id. */
  sha: string
  status: DeploymentStatus
  user: UserSummary | null
  /** The job that deployed; null for a deployment without a job. */
  deployable: DeploymentJob | null
  createdAt: string
}

/** A pipeline job as the host describes it: specification 2, "Environment". */
export interface DeploymentJob extends Omit<DeploymentJobRecord, 'userId'> {
  user: UserSummary | null
  /** Full path of the project, for the URL of the job. */
  projectPath: string
}

export interface DeploymentJobRecord {
  id: number
  status: string
  stage: string
  name: string
  ref: string
  /** Whether `ref` is a tag. */
  tag: boolean
  /** Percent. */
  coverage: number | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** Seconds. */
  duration: number | null
  userId: number | null
  commit: JobCommit | null
  pipeline: JobPipeline | null
  /** URL of the job at the host; null for the platform's own URL. */
  webUrl: string | null
  artifacts: readonly JobArtifact[]
  runner: JobRunner | null
  artifactsExpireAt: string | null
}

export interface JobCommit {
  id: string
  title: string
  message: string
  authorName: string
  authorEmail: string
  createdAt: string
}

export interface JobPipeline {
  id: number
  ref: string
  sha: string
  status: string
  webUrl: string | null
}

export interface JobArtifact {
  fileType: string
  filename: string
  fileFormat: string | null
  /** Bytes. */
  size: number
}

export interface JobRunner {
  id: number
  description: string
  active: boolean
  isShared: boolean
}
