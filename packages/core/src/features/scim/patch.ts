import { isStorableText } from '../../shared/text.ts'
import { getAttribute, isJsonObject } from './attribute-name.ts'
import { isWorkFilter, type PatchPath, parsePatchPath } from './patch-path.ts'
import { scimError } from './scim-error.ts'
import { findWorkEmail, resolveDisplayName } from './user-attributes.ts'

/** Changes of a PATCH request; an absent field stays as it is. */
export interface ScimChange {
  readonly externalUid?: string
  readonly name?: string
  readonly email?: string
  readonly active?: boolean
  /** The `userName` as sent; `toUsername` makes it valid. */
  readonly username?: string
}

interface PatchDraft {
  externalUid?: string
  username?: string
  formatted?: string
  displayName?: string
  givenName?: string
  familyName?: string
  email?: string
  active?: boolean
}

/** Maximum number of operations in one PATCH. */
export const maximumOperations = 100

const textFields: ReadonlyMap<string, Exclude<keyof PatchDraft, 'active'>> = new Map([
  ['id', 'externalUid'],
  ['externalid', 'externalUid'],
  ['username', 'username'],
  ['displayname', 'displayName'],
  ['name', 'formatted'],
  ['name.formatted', 'formatted'],
  ['name.givenname', 'givenName'],
  ['name.familyname', 'familyName'],
  ['emails.value', 'email'],
] as const)

/** Name parts that may be empty: only both together form a display name. */
const optionalTextFields: ReadonlySet<string> = new Set(['givenName', 'familyName'])

/** Some providers wrap a single value in an array or an object. */
const unwrapValue = (value: unknown): unknown => {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  return isJsonObject(single) ? getAttribute(single, 'value') : single
}

const stripQuotes = (text: string): string => text.trim().replace(/^"(.*)"$/s, '$1')

const parseText = (name: string, value: unknown, allowBlank: boolean): string => {
  const single = unwrapValue(value)
  const text = typeof single === 'number' ? String(single) : single
  if (typeof text !== 'string' || !isStorableText(text)) throw scimError('invalidValue', `${name} must be text`)
  const plain = stripQuotes(text)
  if (plain === '' && !allowBlank) throw scimError('invalidValue', `${name} can't be blank`)
  return plain
}

const parseBoolean = (name: string, value: unknown): boolean => {
  const single = unwrapValue(value)
  if (typeof single === 'boolean') return single
  const word = typeof single === 'string' ? stripQuotes(single).toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw scimError('invalidValue', `${name} must be true or false`)
  return word === 'true'
}

const assignAttribute = (draft: PatchDraft, { name, filter }: PatchPath, value: unknown): void => {
  // A null value is a removal, and no supported attribute can be removed.
  if (value === null) return
  const isEmail = name === 'emails' || name === 'emails.value'
  if (filter !== undefined && !(isEmail && isWorkFilter(filter))) return
  if (name === 'name' && isJsonObject(value)) {
    for (const [key, part] of Object.entries(value))
      assignAttribute(draft, { name: `name.${key.toLowerCase()}`, filter: undefined }, part)
  } else if (name === 'active') {
    draft.active = parseBoolean(name, value)
  } else if (name === 'emails') {
    const email = filter === undefined ? findWorkEmail(value) : unwrapValue(value)
    if (email !== undefined) draft.email = parseText(name, email, false)
  } else {
    const field = textFields.get(name)
    if (field !== undefined) draft[field] = parseText(name, value, optionalTextFields.has(field))
  }
}

const applyOperation = (draft: PatchDraft, operation: unknown): void => {
  if (!isJsonObject(operation)) throw scimError('invalidSyntax', 'Operations must be objects')
  const [action, path, value] = ['op', 'path', 'value'].map((name) => getAttribute(operation, name))
  if (typeof action !== 'string') throw scimError('invalidSyntax', 'Operations must have an op')
  if (!['add', 'replace'].includes(action.trim().toLowerCase())) return
  if (value === undefined) throw scimError('invalidValue', 'Operations must have a value')
  if (path === undefined || path === null || path === '') {
    if (!isJsonObject(value)) throw scimError('invalidValue', 'value must be an object where path is missing')
    for (const [key, part] of Object.entries(value)) assignAttribute(draft, parsePatchPath(key), part)
  } else {
    if (typeof path !== 'string') throw scimError('invalidPath', 'path must be text')
    assignAttribute(draft, parsePatchPath(path), value)
  }
}

/**
 * Parses the body of a PATCH (RFC 7644 section 3.5.2) as common identity providers send it. `op` is `add` or `replace`
 * in any case; other operations are ignored, because no supported attribute can be removed. Without a path, the keys of
 * the value are paths, nested or dotted. Unsupported attributes are ignored. Booleans may be strings. The last
 * operation on a field wins.
 *
 * @throws PlatformError `invalid_input` with reason `invalidSyntax`, `invalidPath` or `invalidValue`
 */
export const parseScimPatch = (body: unknown): ScimChange => {
  const operations = isJsonObject(body) ? getAttribute(body, 'operations') : undefined
  if (!Array.isArray(operations)) throw scimError('invalidSyntax', 'Operations must be an array')
  if (operations.length > maximumOperations)
    throw scimError('invalidSyntax', `Operations must not have more than ${maximumOperations} entries`)
  const draft: PatchDraft = {}
  for (const operation of operations) applyOperation(draft, operation)

  const { externalUid, email, active, username } = draft
  const name = resolveDisplayName(draft)
  return {
    ...(externalUid !== undefined && { externalUid }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(active !== undefined && { active }),
    ...(username !== undefined && { username }),
  }
}
