import { isPlainText } from '../../kernel/text.ts'
import { attributeName } from './attribute-name.ts'
import { scimRefusal } from './refusal.ts'

/** Users whose attribute has exactly this value. */
export interface ScimFilter {
  readonly attribute: 'id' | 'externalId' | 'userName'
  readonly value: string
}

const attributes: ReadonlyMap<string, ScimFilter['attribute']> = new Map([
  ['id', 'id'],
  ['externalid', 'externalId'],
  ['username', 'userName'],
])

const longest = 1024

const refused = (detail: string) => scimRefusal('invalidFilter', `Unsupported filter: ${detail}`)

/** The first word, and what follows it without the blanks between. */
const firstWord = (text: string): [word: string, rest: string] => {
  const end = text.search(/\s/)
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end).trimStart()]
}

/** A JSON string that goes to the end of the text. */
const quoted = (text: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' && isPlainText(value) ? value : undefined
  } catch {
    return undefined
  }
}

const bare = (text: string): string | undefined => (/^[^\s"()[\]]+$/.test(text) && isPlainText(text) ? text : undefined)

/**
 * Reads a filter of the form `<attribute> eq <value>` (RFC 7644 section 3.4.2.2, of which nothing else is supported). Attributes are
 * `id`, `externalId` and `userName`; case does not matter, nor whether a value without blanks has quotes. Every other text is refused
 * with `invalidFilter`: an unknown one must never mean "all users".
 */
export const readScimFilter = (text: string): ScimFilter => {
  if (text.length > longest) throw refused(`longer than ${longest} characters`)
  const [name, afterName] = firstWord(text.trim())
  const [operator, value] = firstWord(afterName)
  const attribute = attributes.get(attributeName(name))
  if (attribute === undefined) throw refused('only id, externalId and userName can be compared')
  if (operator.toLowerCase() !== 'eq') throw refused('only the operator eq is known')
  const read = value.startsWith('"') ? quoted(value) : bare(value)
  if (read === undefined) throw refused('the value must be one word or one string in double quotes')
  return { attribute, value: read }
}
