import { invalidInput } from './errors.ts'

/** Longest search text, in characters. */
const searchTextLength = 1024

/** Words shorter than this are too common to look for inside other text. */
const shortestWord = 3

/**
 * What a search text asks for: every one of `words` must occur somewhere in the searched text, in any order;
 * where there are none, the searched text must be `whole`, no more and no less. An empty `whole` asks for nothing.
 */
export interface SearchWords {
  readonly words: readonly string[]
  readonly whole: string
}

const long = (word: string) => [...word].length >= shortestWord

/** A phrase counts as quoted only where its quotes stand apart from other text, so `say"hi"` is one plain word. */
const quotedOrPlain = /(?<=^|\s)"([^"]+)"(?=\s|$)|\S+/g

/**
 * Words of at least three characters and "quoted phrases" of a search text, in Unicode's composed form, each once.
 * Shorter words are left out; if nothing is left, the whole text counts.
 * Refuses (`invalid_input` on `field`) more than 1,024 characters.
 */
export const searchWords = (text: string, field = 'search'): SearchWords => {
  if (text.length > searchTextLength) {
    throw invalidInput([{ fields: [field], message: `is too long (maximum is ${searchTextLength} characters)` }])
  }
  const composed = text.normalize('NFC')
  const found = Array.from(composed.matchAll(quotedOrPlain), ([plain, quoted]) => (quoted ?? plain).trim())
  return { words: [...new Set(found.filter(long))], whole: composed.trim().replace(/\s+/g, ' ') }
}

/** For `LIKE … ESCAPE '\'`: matches exactly this text, its `%` and `_` standing for themselves. */
export const literalPattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** For `LIKE … ESCAPE '\'`: matches every text in which the word occurs. */
export const likePattern = (word: string): string => `%${literalPattern(word)}%`

/**
 * The patterns for `LIKE … ESCAPE '\'` all of which must be matched, each by any of the searched columns.
 * None for a blank search text, which finds everything.
 */
export const searchPatterns = (text: string, field?: string): readonly string[] => {
  const { words, whole } = searchWords(text, field)
  if (words.length) return words.map(likePattern)
  return whole === '' ? [] : [literalPattern(whole)]
}
