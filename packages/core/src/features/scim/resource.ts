import { isEmail, isPlainText } from '../../kernel/text.ts'
import { attributeOf, isObject } from './attribute-name.ts'
import { fullName, workEmail } from './person.ts'
import { scimRefusal } from './refusal.ts'

/** Somebody whom an identity provider wants to have as a user. */
export interface NewScimUser {
  readonly externalUid: string
  /** The `userName` as sent: `usernameFrom` makes a legal one of it. */
  readonly username: string
  readonly name: string
  readonly email: string
  readonly active: boolean
}

const longest = 255

const refused = (detail: string) => scimRefusal('invalidValue', detail)

const textOf = (name: string, value: unknown): string => {
  if (value === undefined || value === null) throw refused(`${name} is missing`)
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !isPlainText(text)) throw refused(`${name} must be text`)
  return fitting(name, text)
}

/** A text without blanks around it that is neither empty nor longer than what is kept of it. */
const fitting = (name: string, text: string): string => {
  const plain = text.trim()
  if (plain === '') throw refused(`${name} can't be blank`)
  if (plain.length > longest) throw refused(`${name} is too long (maximum is ${longest} characters)`)
  return plain
}

/** An e-mail address that may be kept. */
export const readEmail = (text: string): string => {
  const email = fitting('emails', text)
  if (!isEmail(email)) throw refused('emails must have an e-mail address as value')
  return email
}

/** A display name that may be kept. */
export const readName = (text: string): string => fitting('name', text)

/** An external UID that may be kept. */
export const readExternalUid = (text: string): string => fitting('externalId', text)

const part = (name: object, attribute: string): string | undefined => {
  const value = attributeOf(name, attribute)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || !isPlainText(value)) throw refused(`name must have text as ${attribute}`)
  return value.trim() === '' ? undefined : value.trim()
}

const nameOf = (body: object): string => {
  const name = attributeOf(body, 'name') ?? {}
  if (!isObject(name)) throw refused('name must be an object')
  const [formatted, givenName, familyName] = ['formatted', 'givenname', 'familyname'].map((key) => part(name, key))
  // Nobody knows another part yet, so that one of the two is better than none.
  const known = fullName({ formatted, givenName, familyName }) ?? part(body, 'displayname') ?? givenName ?? familyName
  if (known === undefined) throw refused('name is missing')
  return readName(known)
}

const emailOf = (body: object): string => {
  const emails = attributeOf(body, 'emails')
  if (emails === undefined || emails === null) throw refused('emails is missing')
  const email = workEmail(emails)
  if (email === undefined) throw refused('emails must have one of type work')
  return readEmail(email)
}

const activeOf = (body: object): boolean => {
  const active = attributeOf(body, 'active') ?? true
  const word = typeof active === 'string' ? active.trim().toLowerCase() : String(active)
  if (word !== 'true' && word !== 'false') throw refused('active must be true or false')
  return word === 'true'
}

/**
 * Reads the body of a POST (RFC 7643 section 4.1, specification 1, "SCIM"). Attribute names have any case, attributes that
 * have no field here are ignored. Refusals are `invalidValue`.
 */
export const readScimUser = (body: object): NewScimUser => ({
  externalUid: readExternalUid(textOf('externalId', attributeOf(body, 'externalid'))),
  username: textOf('userName', attributeOf(body, 'username')),
  email: emailOf(body),
  name: nameOf(body),
  active: activeOf(body),
})
