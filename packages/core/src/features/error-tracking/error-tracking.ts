import { invalid } from '../../kernel/errors.ts'
import { webAddressProblem } from '../settings/web-address.ts'

/** Where the errors of a project are collected: specification 2, "Error tracking settings". */
export interface ErrorTracking {
  active: boolean
  /** What the tracker calls the project. */
  projectName: string
  /** Where people look at the errors; http or https. */
  trackerExternalUrl: string
  /** Where programs ask for them; http or https. */
  apiUrl: string
}

const addressProblems = (address: string): string[] => {
  const problem = address.length > 2_048 ? 'URI is invalid' : webAddressProblem(address)
  return problem === undefined ? [] : [`is blocked: ${problem}`]
}

/** Refuses names that say nothing and links that no browser should follow; every complaint at once. */
export function refuseBadTracking({ projectName, trackerExternalUrl, apiUrl }: Omit<ErrorTracking, 'active'>): void {
  const problems = Object.entries({
    projectName: [
      ...(projectName.trim() === '' ? ["can't be blank"] : []),
      ...(projectName.length > 255 ? ['is too long (maximum is 255 characters)'] : []),
    ],
    trackerExternalUrl: addressProblems(trackerExternalUrl),
    apiUrl: addressProblems(apiUrl),
  }).filter(([, found]) => found.length)
  if (problems.length) throw invalid(Object.fromEntries(problems))
}
