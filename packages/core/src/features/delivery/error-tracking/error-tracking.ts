import { invalid } from '../../../kernel/errors.ts'
import { webUrlProblem } from '../../administration/settings/web-url.ts'

/** The error tracking of a project: specification 2, "Error tracking settings". */
export interface ErrorTracking {
  /** Whether the tracker is in use. Its configuration remains while it is inactive. */
  active: boolean
  /** True if the platform collects the errors; omitted for an external tracker. */
  integrated?: true
  /** Name of the project in the external tracker; null without one. */
  projectName: string | null
  /** URL of the web page of the external tracker; http or https. Null without one. */
  trackerExternalUrl: string | null
  /** URL of the API of the external tracker; http or https. The platform does not request it. Null without one. */
  apiUrl: string | null
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
}: Readonly<Record<'projectName' | 'trackerExternalUrl' | 'apiUrl', string>>): void {
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
