import * as v from 'valibot'
import { isStorable } from '../shared/text.ts'
import type { Problem } from './errors.ts'
import type { Operation } from './operation.ts'

/** The path of a field: `levels[0][userId]`. For an invalid item of a list of plain values it names the list, not the item. */
const formatIssuePath = (issue: v.BaseIssue<unknown>): string => {
  const keys = (issue.path ?? []).map(({ key }) => key)
  if (typeof keys.at(-1) === 'number') keys.pop()
  return keys.reduce<string>((path, key) => (path === '' ? String(key) : `${path}[${String(key)}]`), '')
}

const getIssueMessage = (issue: v.BaseIssue<unknown>): string => {
  if (issue.kind === 'schema' && issue.received === 'undefined') return 'is missing'
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'is not known'
  if (issue.type === 'picklist' || issue.type === 'literal') return 'does not have a valid value'
  if (issue.type === 'not_value') return 'has a value not allowed'
  if (issue.type === 'non_empty') return 'is empty'
  if (issue.type === 'check') return issue.message
  return 'is invalid'
}

/** Converts a Valibot issue to the message of the documented error bodies. */
const toProblem = (issue: v.BaseIssue<unknown>): Problem => ({
  fields: [formatIssuePath(issue)],
  message: getIssueMessage(issue),
})

/** The first field with text that not every database can store. */
const findUnstorableField = (input: Readonly<Record<string, unknown>>): string | undefined => {
  for (const name in input) if (!isStorable(input[name])) return name
  return undefined
}

/** The parsed input, or all problems in the order in which the fields are declared. */
export type ParsedInput =
  | { readonly input: Readonly<Record<string, unknown>>; readonly problems?: undefined }
  | { readonly problems: readonly Problem[] }

/** Parses the input of an operation: validates each field, then the rules across fields, then whether all text is storable. */
export const parseInput = (operation: Operation, rawInput: unknown): ParsedInput => {
  const { success, typed, output, issues } = v.safeParse(operation.schema, rawInput ?? {})
  const problems = typed ? operation.checkRules(output as Readonly<Record<string, unknown>>) : []
  if (!success) return { problems: [...issues.map(toProblem), ...problems] }
  if (problems.length) return { problems }
  const unstorable = findUnstorableField(output)
  return unstorable === undefined ? { input: output } : { problems: [{ fields: [unstorable], message: 'is invalid' }] }
}
