import { invalid } from '../../../kernel/errors.ts'
import { webUrlProblem } from '../../administration/settings/web-url.ts'
import {
  type EnvironmentTier,
  findNameProblems,
  guessTier,
  tooLongMessage,
} from '../../code/pipeline-records/job-environment.ts'
import type { Deployment } from '../deployments/deployment.ts'

/** Specification 2, "States and transitions". `stopping`: a job stops the environment. */
export type EnvironmentState = 'available' | 'stopping' | 'stopped'

/** Whether an environment is stopped at its end, or that of its branch or merge request: `always`, or only with a job for that. */
export const autoStopSettings = ['always', 'with_action'] as const

export type AutoStopSetting = (typeof autoStopSettings)[number]

/** The setting of a new environment: those of the tiers `production` and `staging` are stopped by a job only. */
export const defaultAutoStopSetting = (name: string, tier: EnvironmentTier | null): AutoStopSetting =>
  ['production', 'staging'].includes(tier ?? guessTier(name)) ? 'with_action' : 'always'

/** A target of deployments of a project. */
export interface Environment {
  /** Unique among environments. */
  id: number
  /** Unique within the project: `production` or `review/dark-mode`. */
  name: string
  /** Generated name that is safe in host names and labels: at most 24 characters, unique within the project, never changed. */
  slug: string
  /** URL of the deployed application (http or https); null if none was set. */
  externalUrl: string | null
  /** A `stopped` environment becomes `available` with the next successful deployment. `stopping`: a job stops it. */
  state: EnvironmentState
  /** Kind of environment, such as `production`; unless it was set, it follows from the name. */
  tier: EnvironmentTier
  /** When the environment is stopped: ISO 8601, UTC, with milliseconds; null if it is not. */
  autoStopAt: string | null
  /** Text for people about the environment; null for none. */
  description: string | null
  /** `always`: the environment is stopped at its end, and that of its branch or merge request. `with_action`: only if a job stops it. */
  autoStopSetting: AutoStopSetting
  /** When the environment was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the environment was last changed: ISO 8601, UTC, with milliseconds. */
  updatedAt: string
}

/** An environment with its newest successful deployment. */
export interface EnvironmentDetail extends Environment {
  /** The newest successful deployment; null if there is none. */
  lastDeployment: Deployment | null
}

const validateUrl = (url: string): string[] => {
  if (url.length > 255) return [tooLongMessage]
  const problem = webUrlProblem(url)
  return problem === undefined ? [] : [`is blocked: ${problem}`]
}

/** Whether a text can be the URL of an environment. */
export const isExternalUrl = (url: string): boolean => validateUrl(url).length === 0

interface EnvironmentInput {
  readonly name?: string | undefined
  readonly externalUrl?: string | null | undefined
}

/**
 * Validates the input. A blank URL becomes null.
 *
 * @throws PlatformError `invalid` with the problems of all fields
 */
export function parseEnvironmentInput({ name, externalUrl }: EnvironmentInput): {
  name?: string
  externalUrl?: string | null
} {
  const url = externalUrl?.trim() === '' ? null : externalUrl
  const problems: Record<string, string[]> = {}
  const nameProblems = name === undefined ? [] : findNameProblems(name)
  const urlProblems = url == null ? [] : validateUrl(url)
  if (nameProblems.length) problems.name = nameProblems
  if (urlProblems.length) problems.externalUrl = urlProblems
  if (Object.keys(problems).length) throw invalid(problems)
  return { ...(name !== undefined && { name }), ...(url !== undefined && { externalUrl: url }) }
}
