import type { UserSummary } from '../accounts/user.ts'

export const deploymentStatuses = ['created', 'running', 'success', 'failed', 'canceled'] as const

export type DeploymentStatus = (typeof deploymentStatuses)[number]

/** One time that a project was brought to an environment. */
export interface Deployment {
  id: number
  /** Counts within the project. */
  iid: number
  /** Branch or tag. */
  ref: string
  /** Commit id. */
  sha: string
  status: DeploymentStatus
  user: UserSummary | null
  /** The job that deployed; null for a deployment that no job made. */
  deployable: Job | null
  createdAt: string
}

/** A job of a pipeline, as the host that ran it tells of it: specification 2, "Environment". */
export interface Job extends Omit<JobRecord, 'userId'> {
  user: UserSummary | null
  /** Full path of the project, for the address of the job. */
  projectPath: string
}

/** What is stored of a job. */
export interface JobRecord {
  id: number
  status: string
  stage: string
  name: string
  ref: string
  /** The ref is a tag. */
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
  /** Where the host shows it; null where the platform's own address will do. */
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
