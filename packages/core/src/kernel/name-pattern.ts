import { createRequire } from 'node:module'

/** A user-supplied regular expression for names of tags or branches. */
export interface NamePattern {
  /** Whether the pattern matches the whole name. */
  readonly matches: (name: string) => boolean
  /** Whether the pattern matches a part of the name. */
  readonly matchesPart: (name: string) => boolean
}

export type NamePatternResult = { readonly pattern: NamePattern } | { readonly problem: string }

const maxPatternLength = 1024

/** Instructions of a compiled pattern. Matching time is proportional to this size. */
const maxProgramSize = 2500

/** Characters of a reason, which may quote the pattern. */
const maxReasonLength = 255

type Engine = typeof import('re2js')

let engine: Engine | undefined

/** Loaded on first use, because few processes need it and loading slows down the start. */
const loadEngine = (): Engine => (engine ??= createRequire(import.meta.url)('re2js') as Engine)

const invalidPattern = (reason: string): NamePatternResult => ({
  problem: `is an invalid regexp: ${reason.slice(0, maxReasonLength)}`,
})

/**
 * Estimates the number of instructions of a pattern without compiling it, because compiling a huge pattern takes
 * minutes. Character classes are not parsed, which makes the estimate too high, never too low.
 */
const estimateSize = (text: string): number => {
  const outer: number[] = []
  let total = 0
  let last = 0
  const tokens = text.matchAll(/\\[xpP]\{\w*\}|\\.|[()]|\{([0-9]{1,4})(?:,([0-9]{0,4}))?\}|[*+?]|./gs)
  for (const [token, min, max] of tokens) {
    if (token === '(') {
      outer.push(total)
      total = 0
      last = 0
    } else if (token === ')') {
      last = total + 2
      total = (outer.pop() ?? 0) + last
    } else if (min !== undefined) {
      const times = Math.max(Number(min), Number(max || 0), 1)
      const repeated = times * (last + (max === undefined ? 0 : 1))
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
 * Compiles a pattern in RE2 syntax, which has no back-references or look-around and matches in linear time.
 * `problem` continues a sentence that begins with the parameter name: `name_regex_delete is an invalid regexp: …`.
 */
export const compileNamePattern = (text: string): NamePatternResult => {
  if (text.length > maxPatternLength)
    return invalidPattern(`expression is too long (maximum is ${maxPatternLength} characters)`)
  if (estimateSize(text) > 2 * maxProgramSize) return invalidPattern('expression is too large')
  const { RE2JS, RE2JSSyntaxException } = loadEngine()
  try {
    const compiled = RE2JS.compile(text)
    if (compiled.programSize() > maxProgramSize) return invalidPattern('expression is too large')
    return {
      pattern: { matches: (name) => compiled.matches(name), matchesPart: (name) => compiled.matcher(name).find() },
    }
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    return invalidPattern(error.message.replace(/^error parsing regexp: /, ''))
  }
}

/** Why a pattern is invalid; `undefined` for a valid one. */
export const namePatternProblem = (text: string): string | undefined => {
  const result = compileNamePattern(text)
  return 'problem' in result ? result.problem : undefined
}
