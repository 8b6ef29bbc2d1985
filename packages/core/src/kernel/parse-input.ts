import * as v from 'valibot'
import { isStorable } from '../shared/text.ts'
import { isUnknownField, suggestField } from '../shared/unknown-field.ts'
import type { Problem } from './errors.ts'
import type { Operation } from './operation.ts'
import { getTextLength } from './text-limits.ts'

/** The path of a field: `levels[0][userId]`. For an invalid item of a list of plain values it names the list, not the item. */
const formatIssuePath = (issue: v.BaseIssue<unknown>): string => {
  const keys = (issue.path ?? []).map(({ key }) => key)
  if (typeof keys.at(-1) === 'number') keys.pop()
  return keys.reduce<string>((path, key) => (path === '' ? String(key) : `${path}[${String(key)}]`), '')
}

const getIssueMessage = (issue: v.BaseIssue<unknown>): string => {
  if (issue.kind === 'schema' && issue.received === 'undefined') return 'is missing'
  if (isUnknownField(issue)) return 'is not known'
  if (issue.type === 'picklist' || issue.type === 'literal') return 'does not have a valid value'
  if (issue.type === 'not_value') return 'has a value not allowed'
  if (issue.type === 'non_empty') return 'is empty'
  // Limits can have a message of their own, which continues the name of the field; Valibot's begin with a capital.
  if (issue.type === 'check' || issue.message.startsWith('is too long')) return issue.message
  return 'is invalid'
}

/** Long lists of values, such as all time zones, are left to the documentation. */
const maxExpectedLength = 200

const getHint = ({ schema }: Operation, issue: v.BaseIssue<unknown>, family?: string): string | undefined => {
  if (isUnknownField(issue)) return suggestField(schema, issue, family)
  const { expected, received } = issue
  if (received === 'undefined' || !expected || expected.length > maxExpectedLength) return undefined
  const subject = `${typeof issue.path?.at(-1)?.key === 'number' ? 'each of ' : ''}${formatIssuePath(issue)}`
  return `${subject} must be ${expected.replace(/^\((.*)\)$/, '$1').replaceAll(' | ', ' or ')}`
}

/** Converts a Valibot issue to the message of the documented error bodies, with a hint for callers of the library. */
const toProblem = (operation: Operation, issue: v.BaseIssue<unknown>, family?: string): Problem => {
  if (!issue.path) return { fields: [], message: formatInputRule(operation) }
  const hint = getHint(operation, issue, family)
  return { fields: [formatIssuePath(issue)], message: getIssueMessage(issue), ...(hint !== undefined && { hint }) }
}

/** For calls such as `issues.list('acme/web')`. */
const formatInputRule = ({ entries }: Operation): string => {
  const [field] = Object.keys(entries)
  return field === undefined ? 'The input must be an object' : `The input must be an object such as { ${field}: … }`
}

/** The first field with a text that not every database can store, or that is too long. */
const findInvalidText = (operation: Operation, input: Readonly<Record<string, unknown>>): Problem | undefined => {
  for (const name in input) {
    const maximum = getTextLength(operation, name)
    if (isStorable(input[name], maximum)) continue
    const message = isStorable(input[name]) ? `is too long (maximum is ${maximum} characters)` : 'is invalid'
    return { fields: [name], message }
  }
  return undefined
}

/** The parsed input, or all problems in the order in which the fields are declared. */
export type ParsedInput =
  | { readonly input: Readonly<Record<string, unknown>>; readonly problems?: undefined }
  | { readonly problems: readonly Problem[] }

/**
 * Parses the input of an operation: validates each field, then the rules across fields, then all texts.
 *
 * @param family the name of the operation's family, for suggestions: `issues`
 */
export const parseInput = (operation: Operation, rawInput: unknown, family?: string): ParsedInput => {
  const { success, typed, output, issues } = v.safeParse(operation.schema, rawInput ?? {})
  const problems = typed ? operation.checkRules(output) : []
  if (!success) return { problems: [...issues.map((issue) => toProblem(operation, issue, family)), ...problems] }
  if (problems.length) return { problems }
  const invalidText = findInvalidText(operation, output)
  return invalidText ? { problems: [invalidText] } : { input: output }
}
