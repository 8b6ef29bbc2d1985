import { invalid } from '../../kernel/errors.ts'

/** A word that administrators keep about a user, a group or a project. */
export interface CustomAttribute {
  key: string
  value: string
}

const longestKey = 255

/** What an attribute may say; every complaint at once. */
export function refuseBadAttribute({ key, value }: CustomAttribute): void {
  const problems: Record<string, string[]> = {}
  if (key.trim() === '') problems.key = ["can't be blank"]
  if (key.length > longestKey) problems.key = [`is too long (maximum is ${longestKey} characters)`]
  if (value.trim() === '') problems.value = ["can't be blank"]
  if (Object.keys(problems).length) throw invalid(problems)
}
