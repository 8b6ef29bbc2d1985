import type * as v from 'valibot'
import { toCamelCase } from './camel-case.ts'
import { fieldSynonyms, findSynonym } from './name-synonyms.ts'
import { findSimilarNames, formatSuggestion } from './similar-name.ts'

interface AnySchema {
  readonly type?: string
  readonly entries?: Readonly<Record<string, AnySchema>>
  readonly item?: AnySchema
  readonly wrapped?: AnySchema
}

/** Whether an object has a field that its schema does not have. */
export const isUnknownField = (issue: v.BaseIssue<unknown>): boolean =>
  issue.type === 'strict_object' && issue.expected === 'never'

const unwrap = (schema: AnySchema | undefined): AnySchema | undefined =>
  schema?.wrapped ? unwrap(schema.wrapped) : schema

type Path = readonly { readonly key: unknown; readonly input?: unknown }[]

/** The schemas of the fields beside an unknown one. */
const listSiblings = (root: AnySchema, path: Path): Readonly<Record<string, AnySchema>> =>
  path
    .slice(0, -1)
    .reduce<AnySchema | undefined>(
      (schema, { key }) => unwrap(typeof key === 'number' ? schema?.item : schema?.entries?.[String(key)]),
      root,
    )?.entries ?? {}

/** Fields with which other APIs name the object of a call. */
const identifiers: ReadonlySet<string> = new Set([
  ...['id', 'iid', 'uid', 'uuid', 'number', 'path', 'fullPath'],
  ...['name', 'title', 'username', 'login', 'slug', 'key', 'sha'],
])

/** The field for the object of a family: `issue` for `issues`, `job` for `pipelineJobs`. */
const findReference = (family: string, known: readonly string[]): string | undefined => {
  const words = family.split(/(?=[A-Z])/)
  const plurals = words.map((_, at) => toCamelCase(words.slice(at).join('')))
  return known.find((name) =>
    [`${name}s`, `${name}es`, name.replace(/y$/, 'ies')].some((plural) => plurals.includes(plural)),
  )
}

/** `projectId`, `issueIid` and `groupPath` mean `project`, `issue` and `group`. */
const findWithoutSuffix = (name: string, known: readonly string[]): string | undefined => {
  const stem = /^(.+?)(?:Ids?|Iids?|FullPath|Path|Name|Username|Usernames)$/.exec(name)?.[1]
  return stem === undefined ? undefined : known.find((other) => other === stem || other === `${stem}s`)
}

/** A field of an object among the fields: `settings.lfsEnabled`. */
const findNested = (name: string, fields: Readonly<Record<string, AnySchema>>): string | undefined => {
  const parent = Object.keys(fields).find((field) => Object.hasOwn(unwrap(fields[field])?.entries ?? {}, name))
  return parent === undefined ? undefined : `${parent}.${name}`
}

/** The required field, if exactly one is missing. */
const findMissing = (known: readonly string[], fields: Readonly<Record<string, AnySchema>>): string | undefined => {
  const [missing, ...others] = known.filter((name) => fields[name]?.type !== 'optional')
  return others.length ? undefined : missing
}

const findField = (
  name: string,
  fields: Readonly<Record<string, AnySchema>>,
  given: object,
  family: string | undefined,
): readonly string[] => {
  const known = Object.keys(fields).filter((field) => !(field in given))
  if (known.includes(name)) return [name]
  const found =
    (family !== undefined && identifiers.has(name) ? findReference(family, known) : undefined) ??
    findSynonym(fieldSynonyms, name, known) ??
    findWithoutSuffix(name, known) ??
    findNested(name, fields)
  if (found !== undefined) return [found]
  const similar = identifiers.has(name) ? [] : findSimilarNames(name, known)
  return similar.length ? similar : [findMissing(known, fields) ?? []].flat()
}

/**
 * A sentence with the fields that an unknown one can mean; undefined if no name is similar.
 *
 * @param family the family of the operation that has the field
 */
export const suggestField = (
  root: v.GenericSchema,
  issue: v.BaseIssue<unknown>,
  family?: string,
): string | undefined => {
  const path: Path = issue.path ?? []
  const last = path.at(-1)
  const given = last?.input
  const names = findField(
    toCamelCase(String(last?.key)),
    listSiblings(root as AnySchema, path),
    typeof given === 'object' && given !== null ? given : {},
    path.length === 1 ? family : undefined,
  )
  return names.length ? formatSuggestion(names) : undefined
}
