import type { UserSummary } from '../../accounts/users/user.ts'
import type { ProjectRecord } from '../../spaces/projects/project-record.ts'

/** Whose jobs a runner takes: those of the instance, of a group and its subgroups, or of some projects. */
export const runnerTypes = ['instance_type', 'group_type', 'project_type'] as const

export type RunnerType = (typeof runnerTypes)[number]

/** `ref_protected`: only jobs of protected branches and tags. */
export const runnerAccessLevels = ['not_protected', 'ref_protected'] as const

export type RunnerAccessLevel = (typeof runnerAccessLevels)[number]

/** By the last contact: within two hours, longer ago, never, or more than seven days ago. */
export const runnerStatuses = ['online', 'offline', 'never_contacted', 'stale'] as const

export type RunnerStatus = (typeof runnerStatuses)[number]

/** A program that takes jobs. The platform executes none itself. */
export interface Runner {
  /** Unique on the instance. */
  id: number
  /** Where the runner takes jobs: on the instance, in a group and its subgroups, or in some projects. */
  runnerType: RunnerType
  /** Text for people; null for none. */
  description: string | null
  /** Whether the runner receives no jobs. */
  paused: boolean
  /** Name of the program, as it says; null if unknown. */
  name: string | null
  /** Address of the last request with the token of the runner; null before, and for calls in the process. */
  ipAddress: string | null
  /**
   * By the last contact: `online` within two hours, `offline` longer ago, `never_contacted`, or `stale` if neither the contact nor the
   * creation is less than seven days ago.
   */
  status: RunnerStatus
  /** Time of the creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** The user who created the runner; null for one that was registered, and after the removal of the user. */
  createdBy: UserSummary | null
}

/** The group of a runner. */
export interface RunnerGroup {
  /** Id of the group. */
  id: number
  /** Name of the group. */
  name: string
  /** Full path of the group. */
  fullPath: string
}

/** A runner with its settings, projects and groups. */
export interface RunnerDetails extends Runner {
  /** Tags of the jobs that the runner takes. */
  tagList: string[]
  /** Whether the runner takes jobs without tags. */
  runUntagged: boolean
  /** Whether the runner cannot be enabled for other projects. */
  locked: boolean
  /** `ref_protected`: the runner takes only jobs of protected branches and tags. */
  accessLevel: RunnerAccessLevel
  /** Most seconds of a job; null for the limit of its project. */
  maximumTimeout: number | null
  /** Text for administrators; null for none. */
  maintenanceNote: string | null
  /** Version of the program; null if unknown. */
  version: string | null
  /** Revision of the program; null if unknown. */
  revision: string | null
  /** Operating system of the program; null if unknown. */
  platform: string | null
  /** Processor architecture of the program; null if unknown. */
  architecture: string | null
  /** Time of the last request with the token of the runner, to the minute; null before. */
  contactedAt: string | null
  /** The projects of a runner of some projects that the current user can see, at most 100. */
  projects: readonly ProjectRecord[]
  /** The group of a runner of a group. */
  groups: readonly RunnerGroup[]
}

/** The token of a runner, which only the result of its creation contains. */
export interface NewRunner {
  /** Id of the runner. */
  id: number
  /** Token of the runner for its requests for jobs. */
  token: string
  /** Time from which the token is invalid; null if it does not expire. */
  tokenExpiresAt: string | null
}
