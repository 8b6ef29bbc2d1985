import { isPlainText } from '../../kernel/text.ts'
import { attributeOf, isObject } from './attribute-name.ts'
import { meansWork, type PatchPath, readPatchPath } from './patch-path.ts'
import { fullName, workEmail } from './person.ts'
import { scimRefusal } from './refusal.ts'

/** What a request wants to change; a field that is absent stays as it is. */
export interface ScimChange {
  readonly externalUid?: string
  readonly name?: string
  readonly email?: string
  readonly active?: boolean
  /** The `userName` as sent: `usernameFrom` makes a legal one of it. */
  readonly username?: string
}

interface Wishes {
  externalUid?: string
  username?: string
  formatted?: string
  displayName?: string
  givenName?: string
  familyName?: string
  email?: string
  active?: boolean
}

/** The most operations of one PATCH. */
export const maximumOperations = 100

const texts: ReadonlyMap<string, Exclude<keyof Wishes, 'active'>> = new Map([
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

/** Parts of a name that may be empty: they count only together. */
const mayBeBlank: ReadonlySet<string> = new Set(['givenName', 'familyName'])

/** Some providers wrap a single value into a list or an object. */
const unwrapped = (value: unknown): unknown => {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  return isObject(single) ? attributeOf(single, 'value') : single
}

const withoutQuotes = (text: string): string => text.trim().replace(/^"(.*)"$/s, '$1')

const textOf = (name: string, value: unknown, blank: boolean): string => {
  const single = unwrapped(value)
  const text = typeof single === 'number' ? String(single) : single
  if (typeof text !== 'string' || !isPlainText(text)) throw scimRefusal('invalidValue', `${name} must be text`)
  const plain = withoutQuotes(text)
  if (plain === '' && !blank) throw scimRefusal('invalidValue', `${name} can't be blank`)
  return plain
}

const booleanOf = (name: string, value: unknown): boolean => {
  const single = unwrapped(value)
  if (typeof single === 'boolean') return single
  const word = typeof single === 'string' ? withoutQuotes(single).toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw scimRefusal('invalidValue', `${name} must be true or false`)
  return word === 'true'
}

const assign = (wishes: Wishes, { name, filter }: PatchPath, value: unknown): void => {
  // No value at all is a removal, and nothing of what is kept here can be removed.
  if (value === null) return
  const aboutEmails = name === 'emails' || name === 'emails.value'
  if (filter !== undefined && !(aboutEmails && meansWork(filter))) return
  if (name === 'name' && isObject(value)) {
    for (const [key, part] of Object.entries(value))
      assign(wishes, { name: `name.${key.toLowerCase()}`, filter: undefined }, part)
  } else if (name === 'active') {
    wishes.active = booleanOf(name, value)
  } else if (name === 'emails') {
    const email = filter === undefined ? workEmail(value) : unwrapped(value)
    if (email !== undefined) wishes.email = textOf(name, email, false)
  } else {
    const field = texts.get(name)
    if (field !== undefined) wishes[field] = textOf(name, value, mayBeBlank.has(field))
  }
}

const apply = (wishes: Wishes, operation: unknown): void => {
  if (!isObject(operation)) throw scimRefusal('invalidSyntax', 'Operations must be objects')
  const [action, path, value] = ['op', 'path', 'value'].map((name) => attributeOf(operation, name))
  if (typeof action !== 'string') throw scimRefusal('invalidSyntax', 'Operations must have an op')
  if (!['add', 'replace'].includes(action.trim().toLowerCase())) return
  if (value === undefined) throw scimRefusal('invalidValue', 'Operations must have a value')
  if (path === undefined || path === null || path === '') {
    if (!isObject(value)) throw scimRefusal('invalidValue', 'value must be an object where path is missing')
    for (const [key, part] of Object.entries(value)) assign(wishes, readPatchPath(key), part)
  } else {
    if (typeof path !== 'string') throw scimRefusal('invalidPath', 'path must be text')
    assign(wishes, readPatchPath(path), value)
  }
}

/**
 * Reads the body of a PATCH (RFC 7644 section 3.5.2) as the providers in use send it. `op` is `add` or `replace` in any case, others
 * are ignored: what is kept of a user cannot be removed. A path may be missing, then the value is an object of paths, nested or with
 * dots. Attributes that have no field here are ignored. Booleans may be text. The last operation on a field counts.
 * A body of another shape is refused: `invalidSyntax`, `invalidPath`, `invalidValue`.
 */
export const readScimPatch = (body: unknown): ScimChange => {
  const operations = isObject(body) ? attributeOf(body, 'operations') : undefined
  if (!Array.isArray(operations)) throw scimRefusal('invalidSyntax', 'Operations must be a list')
  if (operations.length > maximumOperations)
    throw scimRefusal('invalidSyntax', `Operations are more than ${maximumOperations}`)
  const wishes: Wishes = {}
  for (const operation of operations) apply(wishes, operation)

  const { externalUid, email, active, username } = wishes
  const name = fullName(wishes)
  return {
    ...(externalUid !== undefined && { externalUid }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(active !== undefined && { active }),
    ...(username !== undefined && { username }),
  }
}
