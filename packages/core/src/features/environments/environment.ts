import { invalid } from '../../kernel/errors.ts'
import { webAddressProblem } from '../settings/web-address.ts'
import type { Deployment } from './deployment.ts'

/** Specification 2, "States and transitions". */
export type EnvironmentState = 'available' | 'stopped'

/** A place that a project is deployed to. */
export interface Environment {
  id: number
  name: string
  /** Safe in host names and labels, unique in the project, and never changed. */
  slug: string
  /** Where it can be looked at; http or https. */
  externalUrl: string | null
  state: EnvironmentState
}

/** One environment, asked for by itself. */
export interface EnvironmentDetail extends Environment {
  /** The newest deployment that succeeded. */
  lastDeployment: Deployment | null
}

const longest = 255

const signs =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'"

const tooLong = `is too long (maximum is ${longest} characters)`

const nameProblems = (name: string): string[] => {
  if (name.trim() === '') return ["can't be blank"]
  return [
    ...(name.length > longest ? [tooLong] : []),
    ...(/^[a-zA-Z0-9_${}. -]/.test(name) && /^[a-zA-Z0-9_/${}. -]*$/.test(name) && !name.endsWith('/') ? [] : [signs]),
  ]
}

const addressProblems = (address: string): string[] => {
  if (address.length > longest) return [tooLong]
  const problem = webAddressProblem(address)
  return problem === undefined ? [] : [`is blocked: ${problem}`]
}

interface Given {
  readonly name?: string | undefined
  readonly externalUrl?: string | null | undefined
}

/** The values of a new or changed environment: a blank address is none. Every complaint comes at once. */
export function cleanEnvironment({ name, externalUrl }: Given): { name?: string; externalUrl?: string | null } {
  const address = externalUrl?.trim() === '' ? null : externalUrl
  const problems: Record<string, string[]> = {}
  const ofName = name === undefined ? [] : nameProblems(name)
  const ofAddress = address == null ? [] : addressProblems(address)
  if (ofName.length) problems.name = ofName
  if (ofAddress.length) problems.externalUrl = ofAddress
  if (Object.keys(problems).length) throw invalid(problems)
  return { ...(name !== undefined && { name }), ...(address !== undefined && { externalUrl: address }) }
}
