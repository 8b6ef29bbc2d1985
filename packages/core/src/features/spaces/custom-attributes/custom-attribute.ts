import { invalid } from '../../../kernel/errors.ts'

/** A key and a value that administrators attach to a user, a group or a project. */
export interface CustomAttribute {
  /** Unique for its user, group or project; case-sensitive. */
  key: string
  /** Any text that is not blank. */
  value: string
}

const maxKeyLength = 255

/** @throws PlatformError `invalid` with all problems of key and value */
export function assertValidAttribute({ key, value }: CustomAttribute): void {
  const problems: Record<string, string[]> = {}
  if (key.trim() === '') problems.key = ["can't be blank"]
  if (key.length > maxKeyLength) problems.key = [`is too long (maximum is ${maxKeyLength} characters)`]
  if (value.trim() === '') problems.value = ["can't be blank"]
  if (Object.keys(problems).length) throw invalid(problems)
}
