import { invalid } from '../../../kernel/errors.ts'
import { isPathSegment } from '../../../shared/text.ts'

/** @throws PlatformError `invalid` for an invalid name or path of a group or a project */
export function assertValidNames(names: { name?: string | undefined; path?: string | undefined }): void {
  const problems: Record<string, string[]> = {}
  if (names.name?.trim() === '') problems.name = ["can't be blank"]
  if (names.name !== undefined && names.name.length > 255) problems.name = ['is too long (maximum is 255 characters)']
  if (names.path !== undefined && !isPathSegment(names.path)) {
    problems.path = ["can contain only letters, digits, '_', '-' and '.', and cannot start with '-' or '.'"]
  }
  if (Object.keys(problems).length) throw invalid(problems)
}
