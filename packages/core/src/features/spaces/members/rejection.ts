import { isPlatformError, type PlatformError } from '../../../kernel/errors.ts'

const subjectOf = (fields: readonly string[]) => (fields.includes('accessLevel') ? 'Access level' : 'User')

const toText = ({ problems, message }: PlatformError): string =>
  problems.length ? problems.map((problem) => `${subjectOf(problem.fields)} ${problem.message}`).join(', ') : message

/**
 * Runs `addMember` or a check of a level, which throw platform errors before their first write only. Returns the reason of a
 * rejection as text, and undefined after a success.
 */
export async function describeRejection(action: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    if (!isPlatformError(error)) throw error
    return toText(error)
  }
}
