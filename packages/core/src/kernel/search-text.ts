import { invalidInput } from './errors.ts'

/** UTF-16 code units. */
const maxSearchLength = 1024

/** Shorter words are too frequent as substrings. */
const minWordLength = 3

/** Every word is compared with every searched text: the limit of GitLab. */
const maxWords = 64

/**
 * A parsed search text. Matching text contains all `words` in any order. Without words, matching text equals `wholeText`; an
 * empty `wholeText` matches everything.
 */
export interface SearchTerms {
  readonly words: readonly string[]
  readonly wholeText: string
}

const nothing: SearchTerms = { words: [], wholeText: '' }

const isLongEnough = (word: string) => [...word].length >= minWordLength

/** Quotes delimit a phrase only next to whitespace, so `say"hi"` is one plain word. */
const termPattern = /(?<=^|\s)"([^"]+)"(?=\s|$)|\S+/g

/**
 * Parses the distinct words of at least three characters and "quoted phrases" of a search text, in Unicode normalization form C.
 * Ignores shorter words; without any other word, the whole text is the search term.
 *
 * @throws PlatformError `invalid_input` for `field` above 1,024 characters or 64 words
 */
export const parseSearchText = (text: string, field = 'search'): SearchTerms => {
  // Most lists are read without a search, and `matchAll` copies its pattern.
  if (text === '') return nothing
  if (text.length > maxSearchLength) {
    throw invalidInput([{ fields: [field], message: `is too long (maximum is ${maxSearchLength} characters)` }])
  }
  const composed = text.normalize('NFC')
  const terms = Array.from(composed.matchAll(termPattern), ([plain, quoted]) => (quoted ?? plain).trim())
  const words = [...new Set(terms.filter(isLongEnough))]
  if (words.length > maxWords) {
    throw invalidInput([{ fields: [field], message: `has too many words (maximum is ${maxWords})` }])
  }
  return { words, wholeText: composed.trim().replace(/\s+/g, ' ') }
}

/** Escapes `%`, `_` and `\` for `LIKE … ESCAPE '\'`. */
export const escapeLikePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** The pattern for `LIKE … ESCAPE '\'` that matches text containing the word. */
export const toContainsPattern = (word: string): string => `%${escapeLikePattern(word)}%`
