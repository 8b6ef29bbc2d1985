import { invalid } from '../../kernel/errors.ts'
import { webUrlProblem } from '../settings/web-url.ts'
import type { Deployment } from './deployment.ts'

/** Specification 2, "States and transitions". */
export type EnvironmentState = 'available' | 'stopped'

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
  /** A `stopped` environment becomes `available` with the next successful deployment. */
  state: EnvironmentState
}

/** An environment with its newest successful deployment. */
export interface EnvironmentDetail extends Environment {
  /** The newest successful deployment; null if there is none. */
  lastDeployment: Deployment | null
}

const maxLength = 255

const invalidCharactersMessage =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'"

const tooLongMessage = `is too long (maximum is ${maxLength} characters)`

const validateName = (name: string): string[] => {
  if (name.trim() === '') return ["can't be blank"]
  return [
    ...(name.length > maxLength ? [tooLongMessage] : []),
    ...(/^[a-zA-Z0-9_${}. -]/.test(name) && /^[a-zA-Z0-9_/${}. -]*$/.test(name) && !name.endsWith('/')
      ? []
      : [invalidCharactersMessage]),
  ]
}

const validateUrl = (url: string): string[] => {
  if (url.length > maxLength) return [tooLongMessage]
  const problem = webUrlProblem(url)
  return problem === undefined ? [] : [`is blocked: ${problem}`]
}

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
  const nameProblems = name === undefined ? [] : validateName(name)
  const urlProblems = url == null ? [] : validateUrl(url)
  if (nameProblems.length) problems.name = nameProblems
  if (urlProblems.length) problems.externalUrl = urlProblems
  if (Object.keys(problems).length) throw invalid(problems)
  return { ...(name !== undefined && { name }), ...(url !== undefined && { externalUrl: url }) }
}
