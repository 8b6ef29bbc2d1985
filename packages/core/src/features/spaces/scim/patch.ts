import { defined } from '../../../shared/defined.ts'
import { isStorableText } from '../../../shared/text.ts'
import { getAttribute, isJsonObject } from './attribute-name.ts'
import { type PatchPath, parsePatchPath, selectsWorkEmail } from './patch-path.ts'
import { scimError } from './scim-error.ts'
import { findWorkEmail } from './user-attributes.ts'
import { parseBoundedText, parseEmail, parseName, type ScimAttributes } from './user-resource.ts'

/** The attributes that the operations so far have set. */
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

const supportedNames: ReadonlySet<string> = new Set([
  ...textFields.keys(),
  'active',
  'emails',
  'emails.type',
  'emails.primary',
])

/** Attributes of the user schema (RFC 7643 section 4.1) that no field stores. Identity providers send them by default. */
const unmappedNames: ReadonlySet<string> = new Set(
  `nickname profileurl title usertype preferredlanguage locale timezone password phonenumbers ims photos addresses groups entitlements
  roles x509certificates name.middlename name.honorificprefix name.honorificsuffix`.split(/\s+/),
)

/** RFC 7643 section 4.3; no field stores its attributes. */
const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user'

const isUnmapped = ({ name }: PatchPath): boolean =>
  unmappedNames.has(name) ||
  unmappedNames.has(name.replace(/\.[^.]*$/, '')) ||
  name === enterpriseSchema ||
  name.startsWith(`${enterpriseSchema}:`)

const readOnlyNames: ReadonlySet<string> = new Set(['schemas', 'meta', 'meta.resourcetype'])

const readOnlyError = (name: string) => scimError('mutability', `${name} can't be changed`)
const removalError = (name: string) => scimError('mutability', `${name} can't be removed`)

/** Some providers wrap a single value in an array or an object. */
const unwrapValue = (value: unknown): unknown => {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  return isJsonObject(single) ? getAttribute(single, 'value') : single
}

const stripQuotes = (text: string): string => text.trim().replace(/^"(.*)"$/s, '$1')

const parseText = (name: string, value: unknown, allowBlank: boolean): string => {
  const single = unwrapValue(value)
  const text = typeof single === 'number' ? String(single) : single
  if (typeof text !== 'string' || !isStorableText(text)) throw scimError('invalid_value', `${name} must be text`)
  const plain = stripQuotes(text)
  return plain === '' && allowBlank ? plain : parseBoundedText(name, plain)
}

const parseBoolean = (name: string, value: unknown): boolean => {
  const single = unwrapValue(value)
  if (typeof single === 'boolean') return single
  const word = typeof single === 'string' ? stripQuotes(single).toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw scimError('invalid_value', `${name} must be true or false`)
  return word === 'true'
}

const parseWorkEmail = (emails: unknown): string => {
  const email = findWorkEmail(emails)
  if (email === undefined) throw scimError('invalid_value', 'emails must have an entry of type work')
  return parseText('emails', email, false)
}

/** Null and empty lists mean no value (RFC 7643 section 2.5). */
const isUnassigned = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

/** @throws PlatformError unless the path leads to a value of the resource */
const assertTarget = ({ name, filter }: PatchPath, email: string): void => {
  if (readOnlyNames.has(name)) throw readOnlyError(name)
  const isSupported = supportedNames.has(name) && (filter === undefined || name.startsWith('emails'))
  if (!isSupported) throw scimError('invalid_path', `${name.slice(0, 255)} is not an attribute of the user schema`)
  if (filter !== undefined && !selectsWorkEmail(filter, email))
    throw scimError('no_target', `No value of ${name} matches the filter`)
}

/** Changes the attributes of a user resource by the operations of one PATCH. */
const createPatcher = (current: ScimAttributes, draft: PatchDraft) => {
  const assign = (path: PatchPath, value: unknown): void => {
    const { name } = path
    if (isUnmapped(path)) return
    assertTarget(path, draft.email ?? current.email)
    if (isUnassigned(value)) throw removalError(name)
    if (name === 'name' && isJsonObject(value)) {
      assignMembers(
        Object.entries(value)
          .filter(([, part]) => part !== null)
          .map(([key, part]) => [{ name: `name.${key.toLowerCase()}`, filter: undefined }, part]),
      )
    } else if (name === 'active') {
      draft.active = parseBoolean(name, value)
    } else if (name === 'emails') {
      draft.email = parseWorkEmail(value)
    } else if (name === 'emails.type') {
      if (parseText(name, value, false).toLowerCase() !== 'work') throw readOnlyError(name)
    } else if (name === 'emails.primary') {
      if (!parseBoolean(name, value)) throw readOnlyError(name)
    } else {
      const field = defined(textFields.get(name))
      draft[field] = parseText(name, value, optionalTextFields.has(field))
    }
  }

  /** As in a whole resource, unsupported attributes are ignored, but not all of them. */
  const assignMembers = (members: readonly (readonly [PatchPath, unknown])[]): void => {
    const supported = members.filter(([{ name }]) => supportedNames.has(name))
    if (!supported.length && !members.some(([path]) => isUnmapped(path)))
      throw scimError('invalid_value', 'value has no attribute of the user schema')
    for (const [path, value] of supported) assign(path, value)
  }

  const remove = (path: PatchPath): void => {
    if (isUnmapped(path)) return
    assertTarget(path, draft.email ?? current.email)
    throw removalError(path.name)
  }

  return { assign, assignMembers, remove }
}

const applyOperation = (patcher: ReturnType<typeof createPatcher>, operation: unknown): void => {
  if (!isJsonObject(operation)) throw scimError('invalid_syntax', 'Operations must be objects')
  const [op, path, value] = ['op', 'path', 'value'].map((name) => getAttribute(operation, name))
  const action = typeof op === 'string' ? op.trim().toLowerCase() : ''
  if (!['add', 'replace', 'remove'].includes(action))
    throw scimError('invalid_syntax', 'op must be add, replace or remove')
  const target = path === undefined || path === null || path === '' ? undefined : path
  if (target !== undefined && typeof target !== 'string') throw scimError('invalid_path', 'path must be text')
  if (action === 'remove') {
    if (target === undefined) throw scimError('no_target', 'remove requires a path')
    patcher.remove(parsePatchPath(target))
    return
  }
  if (value === undefined) throw scimError('invalid_value', 'Operations must have a value')
  if (target !== undefined) patcher.assign(parsePatchPath(target), value)
  else if (isJsonObject(value))
    patcher.assignMembers(Object.entries(value).map(([key, part]) => [parsePatchPath(key), part]))
  else throw scimError('invalid_value', 'value must be an object where path is missing')
}

/** The display name, given and family name after a PATCH. One part alone is combined with the stored other part. */
const resolveNames = (
  current: ScimAttributes,
  { formatted, displayName, ...parts }: PatchDraft,
): Pick<ScimAttributes, 'name' | 'givenName' | 'familyName'> => {
  const { givenName = current.givenName, familyName = current.familyName } = parts
  const text = formatted ?? displayName
  if (text !== undefined) return { name: parseName(text), givenName, familyName }
  if (givenName === current.givenName && familyName === current.familyName)
    return { name: current.name, givenName, familyName }
  if (givenName === null || familyName === null)
    throw scimError(
      'invalid_value',
      'name.givenName requires name.familyName and vice versa: the other part is unknown',
    )
  return { name: parseName(`${givenName} ${familyName}`), givenName, familyName }
}

/**
 * Applies the body of a PATCH (RFC 7644 section 3.5.2), as common identity providers send it, to a user: every operation
 * or none. `op` is `add`, `replace` or `remove` in any case; required attributes cannot be removed, so that `remove`
 * always fails. Without a path, the keys of the value are paths, nested or dotted. Booleans may be strings. The last
 * operation on a field wins. Attributes of the core and enterprise schemas that no field stores are ignored. `name.formatted` takes precedence over `displayName`, and both over the parts of the name.
 *
 * @throws PlatformError `invalid_input`; the reason is a `scimType`
 */
export const applyScimPatch = (current: ScimAttributes, body: unknown): ScimAttributes => {
  const operations = isJsonObject(body) ? getAttribute(body, 'operations') : undefined
  if (!Array.isArray(operations)) throw scimError('invalid_syntax', 'Operations must be an array')
  if (operations.length > maximumOperations)
    throw scimError('invalid_syntax', `Operations must not have more than ${maximumOperations} entries`)
  const draft: PatchDraft = {}
  const patcher = createPatcher(current, draft)
  for (const operation of operations) applyOperation(patcher, operation)
  return {
    externalUid: draft.externalUid ?? current.externalUid,
    username: draft.username ?? current.username,
    email: draft.email === undefined ? current.email : parseEmail(draft.email),
    active: draft.active ?? current.active,
    ...resolveNames(current, draft),
  }
}
