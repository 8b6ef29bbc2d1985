import { invalid } from '../../../kernel/errors.ts'
import { webUrlProblem } from '../../administration/settings/web-url.ts'

/** The external error tracker of a project: specification 2, "Error tracking settings". */
export interface ErrorTracking {
  /** Whether the tracker is in use. Its configuration remains while it is inactive. */
  active: boolean
  /** Name of the project in the tracker. */
  projectName: string
  /** URL of the tracker's web page; http or https. */
  trackerExternalUrl: string
  /** URL of the tracker's API; http or https. */
  apiUrl: string
}

const validateUrl = (url: string): string[] => {
  const problem = url.length > 2_048 ? 'URI is invalid' : webUrlProblem(url)
  return problem === undefined ? [] : [`is blocked: ${problem}`]
}

/** @throws PlatformError `invalid` with all problems of name and URLs; URLs of other schemes than http and https are blocked */
export function assertValidErrorTracking({
  projectName,
  trackerExternalUrl,
  apiUrl,
}: Omit<ErrorTracking, 'active'>): void {
  const problems = Object.entries({
    projectName: [
      ...(projectName.trim() === '' ? ["can't be blank"] : []),
      ...(projectName.length > 255 ? ['is too long (maximum is 255 characters)'] : []),
    ],
    trackerExternalUrl: validateUrl(trackerExternalUrl),
    apiUrl: validateUrl(apiUrl),
  }).filter(([, messages]) => messages.length)
  if (problems.length) throw invalid(Object.fromEntries(problems))
}
