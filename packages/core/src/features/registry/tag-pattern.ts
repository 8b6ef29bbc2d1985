import { createRequire } from 'node:module'

/** A regular expression of a user that is matched against whole names of tags. */
export interface TagPattern {
  readonly matches: (name: string) => boolean
}

export type TagPatternResult = { readonly pattern: TagPattern } | { readonly complaint: string }

const longest = 1024

/** Instructions of a compiled expression. Matching takes time in proportion to them, and no expression for names of tags needs more. */
const largest = 2500

/** Reasons may repeat the expression, but not at any length. */
const longestReason = 255

type Engine = typeof import('re2js')

let engine: Engine | undefined

/** Loaded with the first expression: most processes never see one, and loading it would cost every start. */
const loaded = (): Engine => (engine ??= createRequire(import.meta.url)('re2js') as Engine)

const refused = (reason: string): TagPatternResult => ({
  complaint: `is an invalid regexp: ${reason.slice(0, longestReason)}`,
})

/**
 * How many instructions an expression will have at least about, counted without compiling it, because compiling a huge one takes
 * minutes. Brackets of character classes are not told apart from other text: that counts too much, never too little.
 */
const estimatedSize = (text: string): number => {
  const outer: number[] = []
  let total = 0
  let last = 0
  const tokens = text.matchAll(/\\[xpP]\{\w*\}|\\.|[()]|\{([0-9]{1,4})(?:,([0-9]{0,4}))?\}|[*+?]|./gs)
  for (const [token, least, most] of tokens) {
    if (token === '(') {
      outer.push(total)
      total = 0
      last = 0
    } else if (token === ')') {
      last = total + 2
      total = (outer.pop() ?? 0) + last
    } else if (least !== undefined) {
      const times = Math.max(Number(least), Number(most || 0), 1)
      const repeated = times * (last + (most === undefined ? 0 : 1))
      total += repeated - last
      last = repeated
    } else if ('*+?'.includes(token)) {
      total += 1
      last += 1
    } else {
      total += 1
      last = 1
    }
  }
  return outer.reduce((sum, part) => sum + part, total)
}

/**
 * Compiles an expression in the syntax of RE2, which matches in linear time: no back-references, no look-around. It must cover a whole
 * name. A complaint continues the sentence that begins with the parameter's name: `name_regex_delete is an invalid regexp: …`.
 */
export const tagPattern = (text: string): TagPatternResult => {
  if (text.length > longest) return refused(`expression is too long (maximum is ${longest} characters)`)
  if (estimatedSize(text) > 2 * largest) return refused('expression is too large')
  const { RE2JS, RE2JSSyntaxException } = loaded()
  try {
    const compiled = RE2JS.compile(text)
    if (compiled.programSize() > largest) return refused('expression is too large')
    return { pattern: { matches: (name) => compiled.matches(name) } }
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    return refused(error.message.replace(/^error parsing regexp: /, ''))
  }
}

/** Why an expression is not accepted; `undefined` when it is. */
export const tagPatternComplaint = (text: string): string | undefined => {
  const result = tagPattern(text)
  return 'complaint' in result ? result.complaint : undefined
}
