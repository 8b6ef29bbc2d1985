import { isPathSegment } from '../../shared/text.ts'
import type { Reference, ReferenceKind } from './reference.ts'

/** A reference and its start and end offset in the text. */
interface ReferenceMatch {
  readonly start: number
  readonly end: number
  readonly reference: Reference
}

/** The characters before and after the text, or empty strings. */
interface Adjacent {
  readonly before: string
  readonly after: string
}

interface Value {
  readonly value: string
  readonly end: number
  readonly quoted?: true
}

/** Possible start of a reference: a sign, or a commit id that is not part of a longer word or path. */
const candidate = /[#!~%$&@]|(?<![\w/#!~%$&@])[0-9a-fA-F]{7,40}(?![\w/#!~%$&@]|\.\w)/g
const number = /\d{1,10}(?!\w)/y
const commit = /[0-9a-fA-F]{7,40}(?!\w|\.\w)/y
const owner = /[A-Za-z0-9_./-]{1,1000}/y
const word = /[\p{L}\p{N}_.?&:-]{1,255}/uy
const longestTitle = 255

const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character)
const isPathCharacter = (character: string | undefined) => character !== undefined && /[A-Za-z0-9_./-]/.test(character)

/** Whether it is a valid path of groups and a project: at most 20 groups and the project. */
const isPath = (path: string): boolean => {
  const segments = path.split('/')
  return segments.length <= 21 && segments.every(isPathSegment)
}

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

const numberAt = (text: string, at: number): Value | undefined => {
  const digits = matchAt(number, text, at)
  return digits === undefined ? undefined : { value: digits, end: at + digits.length }
}

/** A title in quotes, or one word without trailing punctuation. */
const titleAt = (text: string, at: number): Value | undefined => {
  if (text[at] === '"') {
    const end = text.slice(at + 1, at + longestTitle + 2).indexOf('"')
    return end <= 0 ? undefined : { value: text.slice(at + 1, at + 1 + end), end: at + end + 2, quoted: true }
  }
  const value = matchAt(word, text, at)?.replace(/[.?:]+$/, '')
  return value ? { value, end: at + value.length } : undefined
}

const ownerAt = (text: string, at: number): Value | undefined => {
  const path = matchAt(owner, text, at)?.replace(/[./-]+$/, '')
  return path && isPath(path) ? { value: path, end: at + path.length } : undefined
}

/** Parses the text after a sign; `path` is the path before the sign, if any. */
const matchAfterSign = (text: string, sign: string, at: number, path: string | undefined) => {
  const inProject = path === undefined ? {} : { project: path }
  const match = (
    kind: ReferenceKind,
    found: Value | undefined,
    parent: Pick<Reference, 'project' | 'group'> = inProject,
  ) =>
    found && {
      end: found.end,
      reference: { kind, ...parent, value: found.value, ...(found.quoted && { quoted: found.quoted }) },
    }
  switch (sign) {
    case '#':
      return match('issue', numberAt(text, at))
    case '!':
      return match('merge_request', numberAt(text, at))
    case '~':
      return match('label', titleAt(text, at))
    case '%':
      return match('milestone', titleAt(text, at))
    case '$':
      return match('snippet', numberAt(text, at))
    case '&':
      return match('epic', numberAt(text, at), path === undefined ? {} : { group: path })
    default: {
      if (path === undefined) return match('user', ownerAt(text, at))
      const id = matchAt(commit, text, at)
      return id === undefined ? undefined : match('commit', { value: id.toLowerCase(), end: at + id.length })
    }
  }
}

/** Start of the path that ends at `to`, not before `from`. */
const pathStart = (text: string, from: number, to: number): number => {
  let start = to
  while (start > from && isPathCharacter(text[start - 1])) start--
  return start
}

const matchAtSign = (text: string, from: number, at: number, { before }: Adjacent): ReferenceMatch | undefined => {
  const run = pathStart(text, from, at)
  // Text that is not a valid path and ends in punctuation belongs to the sentence: `see.#1`, `@one/@two`.
  const start = isPath(text.slice(run, at)) || isWord(text[at - 1]) ? run : at
  const path = start === at ? undefined : text.slice(start, at)
  const previous = start > 0 ? text[start - 1] : before
  // Repeated signs, and paths that continue a longer word, are not references.
  if (previous === text[at] || (start === from && isWord(previous))) return undefined
  if (path !== undefined && !isPath(path)) return undefined
  const found = matchAfterSign(text, text[at] ?? '', at + 1, path)
  return found && { start, ...found }
}

/**
 * The references in plain text, in order and without overlap. Linear in the length of the text: lookahead is bounded,
 * and lookbehind stops at the previous sign.
 */
export const scanReferences = (text: string, adjacent: Adjacent = { before: '', after: '' }): ReferenceMatch[] => {
  const found: ReferenceMatch[] = []
  let from = 0
  candidate.lastIndex = 0
  for (let match = candidate.exec(text); match; match = candidate.exec(text)) {
    const at = match.index
    const isCommit = match[0].length > 1
    const one: ReferenceMatch | undefined = isCommit
      ? { start: at, end: candidate.lastIndex, reference: { kind: 'commit', value: match[0].toLowerCase() } }
      : matchAtSign(text, from, at, adjacent)
    if (
      !one ||
      (one.end === text.length && isWord(adjacent.after)) ||
      (isCommit && at === 0 && isWord(adjacent.before))
    ) {
      continue
    }
    found.push(one)
    from = one.end
    candidate.lastIndex = one.end
  }
  return found
}
