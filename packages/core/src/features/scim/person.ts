import { attributeOf, isObject } from './attribute-name.ts'
import { scimRefusal } from './refusal.ts'

/** What a request says about the name of a person. */
export interface NameParts {
  readonly formatted?: string | undefined
  readonly displayName?: string | undefined
  readonly givenName?: string | undefined
  readonly familyName?: string | undefined
}

/**
 * The display name: as formatted, else the other display name, else given and family name. One of the last two alone says nothing,
 * because the other one is not known.
 */
export const fullName = ({ formatted, displayName, givenName, familyName }: NameParts): string | undefined =>
  formatted ?? displayName ?? (givenName && familyName ? `${givenName} ${familyName}` : undefined)

const isWork = (entry: object): boolean => {
  const type = attributeOf(entry, 'type')
  return (typeof type === 'string' && type.toLowerCase() === 'work') || attributeOf(entry, 'primary') === true
}

const hasNoType = (entry: object): boolean => attributeOf(entry, 'type') === undefined

/**
 * The e-mail address that counts among those of a request, untrimmed and unchecked: the first one of type `work` or marked as primary;
 * one without a type when it is the only one. A plain string is the address. `undefined` when none counts; what is no list of
 * addresses is refused with `invalidValue`.
 */
export const workEmail = (emails: unknown): string | undefined => {
  if (typeof emails === 'string') return emails
  const entries: unknown[] = Array.isArray(emails) ? emails : [emails]
  if (!entries.every(isObject)) throw scimRefusal('invalidValue', 'emails must be objects with type and value')
  const entry = entries.find(isWork) ?? (entries.length === 1 ? entries.find(hasNoType) : undefined)
  const value = entry === undefined ? undefined : attributeOf(entry, 'value')
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw scimRefusal('invalidValue', 'emails must have text as value')
  return value
}
