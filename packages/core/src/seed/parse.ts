import * as v from 'valibot'
import { PlatformError } from '../kernel/errors.ts'
import { findSimilarName } from '../shared/similar-name.ts'
import { SeedItemError } from './seed-path.ts'

const formatPath = (issue: v.BaseIssue<unknown>) =>
  (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')

interface AnySchema {
  readonly entries?: Readonly<Record<string, AnySchema>>
  readonly item?: AnySchema
  readonly wrapped?: AnySchema
}

/** The names of the fields beside an unknown one. */
const listSiblings = (root: AnySchema, path: readonly { readonly key: unknown }[]): readonly string[] => {
  const unwrap = (schema: AnySchema | undefined): AnySchema | undefined =>
    schema?.wrapped ? unwrap(schema.wrapped) : schema
  const parent = path
    .slice(0, -1)
    .reduce<AnySchema | undefined>(
      (schema, { key }) => unwrap(typeof key === 'number' ? schema?.item : schema?.entries?.[String(key)]),
      root,
    )
  return Object.keys(parent?.entries ?? {})
}

const suggestField = (root: AnySchema, issue: v.BaseIssue<unknown>) => {
  const path: readonly { readonly key: unknown }[] = issue.path ?? []
  const similar = findSimilarName(String(path.at(-1)?.key), listSiblings(root, path))
  return similar === undefined ? '' : `. Did you mean '${similar}'?`
}

const formatIssue = (root: AnySchema, name: string, issue: v.BaseIssue<unknown>) => {
  const path = `${name}${formatPath(issue)}`
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return `${path}: is not known here${suggestField(root, issue)}`
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
    message: formatIssue(schema as AnySchema, name, issue),
  }))
  throw new PlatformError('invalid_input', problems.map(({ message }) => message).join('\n'), { problems })
}

/** Names the item in the message of an error. */
export const toItemError = (name: string, error: unknown): unknown =>
  error instanceof SeedItemError
    ? new PlatformError(error.cause.code, `${name}${error.path}${error.item && ` (${error.item})`}: ${error.message}`, {
        problems: error.cause.problems,
        cause: error.cause,
      })
    : error
