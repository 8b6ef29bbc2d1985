import { isEmail, isStorableText } from '../../../shared/text.ts'
import { getAttribute, isJsonObject } from './attribute-name.ts'
import { scimError } from './scim-error.ts'
import { findWorkEmail } from './user-attributes.ts'

/** The attributes of a user that an identity provider can write. */
export interface ScimAttributes {
  readonly externalUid: string
  /** The `userName` as sent; `toUsername` makes it valid. */
  readonly username: string
  /** The display name. */
  readonly name: string
  /** Null if the provider did not send it. */
  readonly givenName: string | null
  /** Null if the provider did not send it. */
  readonly familyName: string | null
  readonly email: string
  readonly active: boolean
}

const maxTextLength = 255

const valueError = (detail: string) => scimError('invalid_value', detail)

const parseText = (name: string, value: unknown): string => {
  if (value === undefined || value === null) throw valueError(`${name} is missing`)
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !isStorableText(text)) throw valueError(`${name} must be text`)
  return parseBoundedText(name, text)
}

/** Trims a text and requires 1 to 255 characters. */
export const parseBoundedText = (name: string, text: string): string => {
  const plain = text.trim()
  if (plain === '') throw valueError(`${name} can't be blank`)
  if (plain.length > maxTextLength) throw valueError(`${name} is too long (maximum is ${maxTextLength} characters)`)
  return plain
}

export const parseEmail = (text: string): string => {
  const email = parseBoundedText('emails', text)
  if (!isEmail(email)) throw valueError('The value of emails must be an e-mail address')
  return email
}

export const parseName = (text: string): string => parseBoundedText('name', text)

/** Undefined if the part is omitted; a part may be blank. */
const parseNamePart = (name: object, attribute: string): string | undefined => {
  const value = getAttribute(name, attribute)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || !isStorableText(value)) throw valueError(`name.${attribute} must be text`)
  return value.trim() === '' ? '' : parseBoundedText(`name.${attribute}`, value)
}

const parseNames = (body: object): Pick<ScimAttributes, 'name' | 'givenName' | 'familyName'> => {
  const name = getAttribute(body, 'name')
  if (name === undefined || name === null) throw valueError('name is missing')
  if (!isJsonObject(name)) throw valueError('name must be an object')
  const [formatted, givenName, familyName] = ['formatted', 'givenname', 'familyname'].map((key) =>
    parseNamePart(name, key),
  )
  const fullName = givenName && familyName ? `${givenName} ${familyName}` : undefined
  // A resource replaces the name, so a given or family name alone is enough.
  const displayName = formatted || fullName || parseNamePart(body, 'displayname') || givenName || familyName
  if (!displayName) throw valueError('name is missing')
  return { name: parseName(displayName), givenName: givenName ?? null, familyName: familyName ?? null }
}

const parseWorkEmail = (body: object): string => {
  const emails = getAttribute(body, 'emails')
  if (emails === undefined || emails === null) throw valueError('emails is missing')
  const email = findWorkEmail(emails)
  if (email === undefined) throw valueError('emails must have an entry of type work')
  return parseEmail(email)
}

const parseActive = (body: object): boolean => {
  const active = getAttribute(body, 'active') ?? true
  const word = typeof active === 'string' ? active.trim().toLowerCase() : String(active)
  if (word !== 'true' && word !== 'false') throw valueError('active must be true or false')
  return word === 'true'
}

/**
 * Parses the body of a POST or PUT (RFC 7643 section 4.1, specification 1, "SCIM"). Attribute names are case-insensitive;
 * unsupported attributes are ignored.
 *
 * @param externalUid the current one, for a PUT without `externalId`
 * @throws PlatformError `invalid_input` with reason `invalidValue`
 */
export const parseScimUser = (body: object, externalUid?: string): ScimAttributes => ({
  externalUid: parseText('externalId', getAttribute(body, 'externalid') ?? externalUid),
  username: parseText('userName', getAttribute(body, 'username')),
  email: parseWorkEmail(body),
  ...parseNames(body),
  active: parseActive(body),
})
