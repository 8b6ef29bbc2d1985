import { isPathSegment } from '../../kernel/text.ts'
import type { Reference, ReferenceKind } from './reference.ts'

/** A reference in a text, with the offsets between which it was written. */
interface FoundReference {
  readonly start: number
  readonly end: number
  readonly reference: Reference
}

/** What stands right before and right behind the text, one character each or nothing. */
interface Surroundings {
  readonly before: string
  readonly after: string
}

interface Value {
  readonly value: string
  readonly end: number
  readonly quoted?: true
}

/** Where a reference may begin: one of its signs, or a commit id that nothing of a longer word or path touches. */
const candidate = /[#!~%$&@]|(?<![\w/#!~%$&@])[0-9a-fA-F]{7,40}(?![\w/#!~%$&@]|\.\w)/g
const number = /\d{1,10}(?!\w)/y
const commit = /[0-9a-fA-F]{7,40}(?!\w|\.\w)/y
const owner = /[A-Za-z0-9_./-]{1,1000}/y
const word = /[\p{L}\p{N}_.?&:-]{1,255}/uy
const longestTitle = 255

const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character)
const isPathCharacter = (character: string | undefined) => character !== undefined && /[A-Za-z0-9_./-]/.test(character)

/** A path of groups and projects, at most as deep as groups may nest plus the project. */
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

/** A title in quotes, or one word; punctuation at a word's end belongs to the sentence. */
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

/** Reads what follows a sign; `path` is the one written before it, if any. */
const afterSign = (text: string, sign: string, at: number, path: string | undefined) => {
  const inProject = path === undefined ? {} : { project: path }
  const made = (
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
      return made('issue', numberAt(text, at))
    case '!':
      return made('merge_request', numberAt(text, at))
    case '~':
      return made('label', titleAt(text, at))
    case '%':
      return made('milestone', titleAt(text, at))
    case '$':
      return made('snippet', numberAt(text, at))
    case '&':
      return made('epic', numberAt(text, at), path === undefined ? {} : { group: path })
    default: {
      if (path === undefined) return made('user', ownerAt(text, at))
      const id = matchAt(commit, text, at)
      return id === undefined ? undefined : made('commit', { value: id.toLowerCase(), end: at + id.length })
    }
  }
}

/** Where the path that ends at `to` begins; it never reaches back over `from`. */
const pathStart = (text: string, from: number, to: number): number => {
  let start = to
  while (start > from && isPathCharacter(text[start - 1])) start--
  return start
}

const withSign = (text: string, from: number, at: number, { before }: Surroundings): FoundReference | undefined => {
  const run = pathStart(text, from, at)
  // What cannot be a path and ends in punctuation is the sentence before: `see.#1`, `@one/@two`.
  const start = isPath(text.slice(run, at)) || isWord(text[at - 1]) ? run : at
  const path = start === at ? undefined : text.slice(start, at)
  const previous = start > 0 ? text[start - 1] : before
  // A sign right behind another one, or a path that is only the end of a longer word, begins nothing.
  if (previous === text[at] || (start === from && isWord(previous))) return undefined
  if (path !== undefined && !isPath(path)) return undefined
  const found = afterSign(text, text[at] ?? '', at + 1, path)
  return found && { start, ...found }
}

/**
 * The references in a piece of plain text, in order and without overlap. Linear in the length of the text: every
 * reading ahead is bounded, and reading back stops at the sign before.
 */
export const referencesIn = (text: string, around: Surroundings = { before: '', after: '' }): FoundReference[] => {
  const found: FoundReference[] = []
  let from = 0
  candidate.lastIndex = 0
  for (let match = candidate.exec(text); match; match = candidate.exec(text)) {
    const at = match.index
    const isCommit = match[0].length > 1
    const one: FoundReference | undefined = isCommit
      ? { start: at, end: candidate.lastIndex, reference: { kind: 'commit', value: match[0].toLowerCase() } }
      : withSign(text, from, at, around)
    if (!one || (one.end === text.length && isWord(around.after)) || (isCommit && at === 0 && isWord(around.before))) {
      continue
    }
    found.push(one)
    from = one.end
    candidate.lastIndex = one.end
  }
  return found
}
