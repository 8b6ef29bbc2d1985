import type { UserSummary } from '../../accounts/users/user.ts'

/** A token with which programs create pipelines of a project, on behalf of the token's owner. */
export interface PipelineTrigger {
  /** Unique on the instance. */
  id: number
  /** Name for people. */
  description: string
  /** The whole token in the result of its creation; afterwards its first four characters, because only a digest is stored. */
  token: string
  /** Time from which the token is invalid; null if it does not expire. */
  expiresAt: string | null
  /** Time of the creation; ISO 8601 in UTC with milliseconds. */
  createdAt: string
  /** Time of the last change; ISO 8601 in UTC with milliseconds. */
  updatedAt: string
  /** When the token last created a pipeline; null if never. */
  lastUsed: string | null
  /** The user who created the trigger, and for whom it creates pipelines. */
  owner: UserSummary
}
