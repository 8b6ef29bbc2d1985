import type * as v from 'valibot'
import { findSimilarName } from './similar-name.ts'

interface AnySchema {
  readonly entries?: Readonly<Record<string, AnySchema>>
  readonly item?: AnySchema
  readonly wrapped?: AnySchema
}

/** Whether an object has a field that its schema does not have. */
export const isUnknownField = (issue: v.BaseIssue<unknown>): boolean =>
  issue.type === 'strict_object' && issue.expected === 'never'

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

/** A sentence with the field that an unknown one probably means; undefined if no name is similar. */
export const suggestField = (root: v.GenericSchema, issue: v.BaseIssue<unknown>): string | undefined => {
  const path: readonly { readonly key: unknown }[] = issue.path ?? []
  const similar = findSimilarName(String(path.at(-1)?.key), listSiblings(root as AnySchema, path))
  return similar === undefined ? undefined : `Did you mean '${similar}'?`
}
