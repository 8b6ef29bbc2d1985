import type { UserSummary } from '../../accounts/users/user.ts'
import type { ProjectDetails } from './project-record.ts'

/** A user who starred a project. */
export interface Starrer {
  /** When the user starred the project: ISO 8601, UTC, with milliseconds. */
  starredSince: string
  /** Who starred the project. */
  user: UserSummary
}

/** The effect of a star on a project. */
export interface StarResult {
  /** False if the project was starred already, or had no star to remove. */
  changed: boolean
  /** The project after the call. */
  project: ProjectDetails
}
