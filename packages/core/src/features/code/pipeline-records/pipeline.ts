import type { UserSummary } from '../../accounts/users/user.ts'
import type { PipelineStatus } from './status.ts'

/** What can create a pipeline. `external`: a commit status of another system. */
export const pipelineSources = [
  'push',
  'web',
  'trigger',
  'schedule',
  'api',
  'external',
  'pipeline',
  'chat',
  'webide',
  'merge_request_event',
  'external_pull_request_event',
  'parent_pipeline',
  'ondemand_dast_scan',
  'ondemand_dast_validation',
] as const

export type PipelineSource = (typeof pipelineSources)[number]

/**
 * Which jobs of a pipeline a newer push to its branch cancels. `conservative`: all, unless one that is not interruptible has
 * started. `interruptible`: those that are interruptible. `none`: no job.
 */
export const cancellationPolicies = ['conservative', 'interruptible', 'none'] as const

export type CancellationPolicy = (typeof cancellationPolicies)[number]

/** A run of the jobs of a project for a commit. The platform executes nothing: hosts and API clients report the results. */
export interface Pipeline {
  /** Unique on the instance. */
  id: number
  /** Number of the pipeline within the project, from 1. */
  iid: number
  /** Id of the project. */
  projectId: number
  /** Full path of the project. */
  projectPath: string
  /** Name of the branch or tag; `refs/merge-requests/7/head` for pipelines of merge requests. */
  ref: string
  /** Whether `ref` is a tag. */
  tag: boolean
  /** Full hexadecimal SHA of the commit. */
  sha: string
  /** Hexadecimal SHA of the commit before the push; null if no push created the pipeline. */
  beforeSha: string | null
  /** What created the pipeline, such as `push`, `api` or `external`. */
  source: PipelineSource
  /** Result of the jobs, such as `running`, `success` or `failed`. */
  status: PipelineStatus
  /** Name from the pipeline file; null without one. */
  name: string | null
  /** Errors of the pipeline file; null for a valid one. */
  yamlErrors: string | null
  /** Average test coverage of the jobs in percent; null if none has reported it. */
  coverage: number | null
  /** The user who created the pipeline; null for the host, and after the removal of the user. */
  user: UserSummary | null
  /** Id of the merge request that the pipeline belongs to; null for pipelines of branches and tags. */
  mergeRequestId: number | null
  /** When the pipeline was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the status last changed: ISO 8601, UTC, with milliseconds. */
  updatedAt: string
  /** When the first job started: ISO 8601, UTC, with milliseconds; null before. */
  startedAt: string | null
  /** When the last job ended: ISO 8601, UTC, with milliseconds; null before. */
  finishedAt: string | null
}

/** A pipeline as stored, without its variables. */
export interface PipelineRecord extends Omit<Pipeline, 'projectPath' | 'user'> {
  /** Id of the user who created the pipeline; null for the host, and after the removal of the user. */
  userId: number | null
}

/** Seconds between two instants, with milliseconds; null if one is missing. */
export const getSeconds = (from: string | null, to: string | null): number | null =>
  from === null || to === null ? null : Math.max(0, (Date.parse(to) - Date.parse(from)) / 1_000)
