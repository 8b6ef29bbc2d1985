import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import { defined } from '../../../shared/defined.ts'
import { CiConfigError } from './config-error.ts'

/** Returns the value of a variable; undefined if it is unknown. */
type LookUp = (name: string) => string | undefined

type Operand = string | null

interface Pattern {
  readonly matches: (text: string) => boolean
}

type Evaluate<T> = (variables: LookUp) => T

const tokenPattern =
  /\s*(?:(?<symbol>\(|\)|&&|\|\||==|!=|=~|!~)|\$(?:\{(?<braced>\w+)\}|(?<variable>\w+))|"(?<double>[^"]*)"|'(?<single>[^']*)'|\/(?<pattern>(?:\\.|[^/\\])*)\/(?<flags>[a-z]*)|(?<word>null|true|false)\b)/y

/** Greatest length of an expression, in characters: parentheses nest in the parser. */
const maxLength = 2_000

const tokenize = (text: string): readonly Readonly<Record<string, string | undefined>>[] => {
  const tokens: Readonly<Record<string, string | undefined>>[] = []
  const trimmed = text.trimEnd()
  if (trimmed.length > maxLength) throw new CiConfigError('the expression is too long')
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < trimmed.length) {
    const match = tokenPattern.exec(trimmed)
    if (!match?.groups) throw new CiConfigError('invalid expression syntax')
    tokens.push(match.groups)
  }
  return tokens
}

const toPattern = (source: string, flags: string): Pattern => {
  const inline = [...new Set(flags)].filter((flag) => 'ims'.includes(flag)).join('')
  const result = compileNamePattern(`${inline && `(?${inline})`}${source.replaceAll('\\/', '/')}`)
  if ('problem' in result) throw new CiConfigError(`the pattern /${source.slice(0, 100)}/ ${result.problem}`)
  return { matches: result.pattern.matchesPart }
}

/** A pattern in the value of a variable: `/^v\d/`. */
const readPattern = (text: Operand): Pattern | undefined => {
  const match = /^\/(?<source>.*)\/(?<flags>[a-z]*)$/s.exec(text ?? '')
  return match?.groups ? toPattern(defined(match.groups.source), defined(match.groups.flags)) : undefined
}

const symbolOf = (token: Readonly<Record<string, string | undefined>> | undefined) => token?.symbol

/**
 * Compiles the condition of a rule: comparisons of variables with text, `null` and patterns, joined by `&&`, `||` and parentheses.
 * Patterns have RE2 syntax, as in GitLab.
 *
 * @throws CiConfigError for invalid syntax
 */
export const compileExpression = (text: string): Evaluate<boolean> => {
  const tokens = tokenize(text)
  let at = 0
  const accept = (symbol: string) => symbolOf(tokens[at]) === symbol && at++ >= 0

  const readOperand = (): Evaluate<Operand> => {
    const token = tokens[at++]
    const name = token?.variable ?? token?.braced
    if (name !== undefined) return (variables) => variables(name) ?? null
    const literal = token?.double ?? token?.single
    if (literal !== undefined) return () => literal
    if (token?.word !== undefined) return () => (token.word === 'null' ? null : defined(token.word))
    throw new CiConfigError('invalid expression syntax')
  }

  const readMatch = (left: Evaluate<Operand>): Evaluate<boolean> => {
    const token = tokens[at]
    if (token?.pattern !== undefined) {
      at++
      const pattern = toPattern(token.pattern, token.flags ?? '')
      return (variables) => pattern.matches(left(variables) ?? '')
    }
    const right = readOperand()
    return (variables) => readPattern(right(variables))?.matches(left(variables) ?? '') ?? false
  }

  const readComparison = (): Evaluate<boolean> => {
    if (accept('(')) {
      const inner = readAlternatives()
      if (!accept(')')) throw new CiConfigError('invalid expression syntax')
      return inner
    }
    const left = readOperand()
    if (accept('==')) {
      const right = readOperand()
      return (variables) => left(variables) === right(variables)
    }
    if (accept('!=')) {
      const right = readOperand()
      return (variables) => left(variables) !== right(variables)
    }
    if (accept('=~')) return readMatch(left)
    if (accept('!~')) {
      const matches = readMatch(left)
      return (variables) => !matches(variables)
    }
    return (variables) => Boolean(left(variables))
  }

  const readAll = (): Evaluate<boolean> => {
    const parts = [readComparison()]
    while (accept('&&')) parts.push(readComparison())
    return (variables) => parts.every((part) => part(variables))
  }

  const readAlternatives = (): Evaluate<boolean> => {
    const parts = [readAll()]
    while (accept('||')) parts.push(readAll())
    return (variables) => parts.some((part) => part(variables))
  }

  const result = readAlternatives()
  if (at < tokens.length) throw new CiConfigError('invalid expression syntax')
  return result
}
