import { invalid } from '../../kernel/errors.ts'
import { isPathSegment } from '../../kernel/text.ts'

/** What a group or a project may be called, and which path it may have. */
export function refuseBadNames(given: { name?: string | undefined; path?: string | undefined }): void {
  const problems: Record<string, string[]> = {}
  if (given.name?.trim() === '') problems.name = ["can't be blank"]
  if (given.name !== undefined && given.name.length > 255) problems.name = ['is too long (maximum is 255 characters)']
  if (given.path !== undefined && !isPathSegment(given.path)) {
    problems.path = ["can contain only letters, digits, '_', '-' and '.', and cannot start with '-' or '.'"]
  }
  if (Object.keys(problems).length) throw invalid(problems)
}
