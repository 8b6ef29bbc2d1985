import * as v from 'valibot'
import { PlatformError } from '../kernel/errors.ts'
import { isUnknownField, suggestField } from '../shared/unknown-field.ts'
import { SeedItemError } from './seed-path.ts'

const formatPath = (issue: v.BaseIssue<unknown>) =>
  (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')

const formatIssue = (root: v.GenericSchema, name: string, issue: v.BaseIssue<unknown>) => {
  const path = `${name}${formatPath(issue)}`
  if (isUnknownField(issue)) return [`${path}: is not known here`, suggestField(root, issue)].filter(Boolean).join('. ')
  if (issue.received === 'undefined') return `${path}: is missing`
  return `${path}: ${issue.message}`
}

/**
 * Validates data of the format of seeds.
 *
 * @param name what the paths in messages start with: `seed`
 * @throws PlatformError `invalid_input` with a problem for each invalid value and its path
 */
export function parseData<T extends v.GenericSchema>(schema: T, name: string, value: unknown): v.InferOutput<T> {
  // The schema accepts an empty array as an object without fields.
  const parsed = v.safeParse(schema, Array.isArray(value) ? null : value)
  if (parsed.success) return parsed.output
  const problems = parsed.issues.map((issue) => ({
    fields: [],
    message: formatIssue(schema, name, issue),
  }))
  throw new PlatformError('invalid_input', problems.map(({ message }) => message).join('\n'), { problems })
}

/** Names the item in the message of an error. */
export const toItemError = (name: string, error: unknown): unknown =>
  error instanceof SeedItemError
    ? new PlatformError(
        error.cause.code,
        `${name}${error.path}${error.itemName && ` (${error.itemName})`}: ${error.message}`,
        {
          problems: error.cause.problems,
          cause: error.cause,
        },
      )
    : error
