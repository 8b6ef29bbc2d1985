import { getAttribute, isJsonObject } from './attribute-name.ts'
import { scimError } from './scim-error.ts'

const isWorkEntry = (entry: object): boolean => {
  const type = getAttribute(entry, 'type')
  return (typeof type === 'string' && type.toLowerCase() === 'work') || getAttribute(entry, 'primary') === true
}

const hasNoType = (entry: object): boolean => getAttribute(entry, 'type') === undefined

/**
 * Selects the work e-mail address of a request, neither trimmed nor validated: the first entry with type `work` or
 * `primary`, or a single entry without a type. A string is the address itself. `undefined` when no entry matches.
 *
 * @throws PlatformError `invalid_input` with reason `invalidValue` when the value has another shape
 */
export const findWorkEmail = (emails: unknown): string | undefined => {
  if (typeof emails === 'string') return emails
  const entries: unknown[] = Array.isArray(emails) ? emails : [emails]
  if (!entries.every(isJsonObject)) throw scimError('invalid_value', 'emails must be objects with type and value')
  const entry = entries.find(isWorkEntry) ?? (entries.length === 1 ? entries.find(hasNoType) : undefined)
  const value = entry === undefined ? undefined : getAttribute(entry, 'value')
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw scimError('invalid_value', 'The value of emails must be a string')
  return value
}
