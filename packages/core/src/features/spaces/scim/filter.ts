import { isStorableText } from '../../../shared/text.ts'
import { normalizeAttributeName } from './attribute-name.ts'
import { scimError } from './scim-error.ts'

/** Selects users by the value of one attribute. */
export interface ScimFilter {
  readonly attribute: 'id' | 'externalId' | 'userName' | 'emails.value'
  readonly value: string
}

const attributes: ReadonlyMap<string, ScimFilter['attribute']> = new Map([
  ['id', 'id'],
  ['externalid', 'externalId'],
  ['username', 'userName'],
  ['emails.value', 'emails.value'],
])

const maxFilterLength = 1024

const filterError = (detail: string) => scimError('invalid_filter', `Unsupported filter: ${detail}`)

/** Splits at the first whitespace, which is removed. */
const splitFirstWord = (text: string): [word: string, rest: string] => {
  const end = text.search(/\s/)
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end).trimStart()]
}

/** Parses text that consists of one JSON string. */
const parseQuoted = (text: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' && isStorableText(value) ? value : undefined
  } catch {
    return undefined
  }
}

const parseBare = (text: string): string | undefined =>
  /^[^\s"()[\]]+$/.test(text) && isStorableText(text) ? text : undefined

/**
 * Parses a filter of the form `<attribute> eq <value>`, the only supported form of RFC 7644 section 3.4.2.2. The
 * attribute is `id`, `externalId`, `userName` or `emails.value`. Attribute and operator are case-insensitive; a value without
 * whitespace needs no quotes.
 *
 * @throws PlatformError `invalid_input` with reason `invalidFilter` for any other text; an unsupported filter must
 * never select all users
 */
export const parseScimFilter = (text: string): ScimFilter => {
  if (text.length > maxFilterLength) throw filterError(`longer than ${maxFilterLength} characters`)
  const [name, afterName] = splitFirstWord(text.trim())
  const [operator, value] = splitFirstWord(afterName)
  const attribute = attributes.get(normalizeAttributeName(name))
  if (attribute === undefined) throw filterError('only id, externalId, userName and emails.value can be compared')
  if (operator.toLowerCase() !== 'eq') throw filterError('only the operator eq is supported')
  const parsed = value.startsWith('"') ? parseQuoted(value) : parseBare(value)
  if (parsed === undefined) throw filterError('the value must be one word or one string in double quotes')
  return { attribute, value: parsed }
}
