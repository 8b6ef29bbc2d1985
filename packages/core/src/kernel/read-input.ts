import * as v from 'valibot'
import type { Problem } from './errors.ts'
import type { Operation } from './operation.ts'
import { isPlainText } from './text.ts'

/** `levels[0][userId]`. A list of plain values is invalid as a whole: which of them it was is not said. */
const pathOf = (issue: v.BaseIssue<unknown>): string => {
  const keys = (issue.path ?? []).map(({ key }) => key)
  if (typeof keys.at(-1) === 'number') keys.pop()
  return keys.reduce<string>((path, key) => (path === '' ? String(key) : `${path}[${String(key)}]`), '')
}

const messageOf = (issue: v.BaseIssue<unknown>): string => {
  if (issue.kind === 'schema' && issue.received === 'undefined') return 'is missing'
  if (issue.type === 'strict_object') return 'is not known'
  if (issue.type === 'picklist' || issue.type === 'literal') return 'does not have a valid value'
  if (issue.type === 'not_value') return 'has a value not allowed'
  if (issue.type === 'non_empty') return 'is empty'
  if (issue.type === 'check') return issue.message
  return 'is invalid'
}

/** A complaint of the schema in the words of the documented error bodies. */
const problemOf = (issue: v.BaseIssue<unknown>): Problem => ({ fields: [pathOf(issue)], message: messageOf(issue) })

const fits = (value: unknown): boolean => {
  if (typeof value === 'string') return isPlainText(value)
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return true
  return Object.entries(value).every(([key, inner]) => isPlainText(key) && fits(inner))
}

/** The first field whose text a database cannot hold as it is: NUL, or half of a surrogate pair. */
const unfitText = (input: Readonly<Record<string, unknown>>): string | undefined => {
  for (const name in input) if (!fits(input[name])) return name
  return undefined
}

/** What an operation may go by, or everything that is wrong with what it was given, in the order in which fields are declared. */
export type ReadInput =
  | { readonly input: Readonly<Record<string, unknown>>; readonly problems?: undefined }
  | { readonly problems: readonly Problem[] }

/** Reads the input of an operation: each field by itself, then the rules across fields, then whether a database can hold it. */
export const readInput = (operation: Operation, given: unknown): ReadInput => {
  const { success, typed, output, issues } = v.safeParse(operation.schema, given ?? {})
  const complaints = typed ? operation.complaints(output as Readonly<Record<string, unknown>>) : []
  if (!success) return { problems: [...issues.map(problemOf), ...complaints] }
  if (complaints.length) return { problems: complaints }
  const unfit = unfitText(output)
  return unfit === undefined ? { input: output } : { problems: [{ fields: [unfit], message: 'is invalid' }] }
}
