import { defined } from '../../../shared/defined.ts'

/** Lines such as `Cc: Ada <ada@example.com>` at the end of the message of a commit. */
export interface Trailers {
  /** The trailers of the message by name, the last one of each name. */
  trailers: Record<string, string>
  /** All trailers of the message by name, in order. */
  extendedTrailers: Record<string, string[]>
}

export const noTrailers = (): Trailers => ({ trailers: {}, extendedTrailers: {} })

/** A name of letters, digits and hyphens, perhaps with blanks before the colon. */
const trailerPattern = /^(?<name>[A-Za-z0-9-]+)[ \t]*:(?<value>.*)$/s

/** Beginnings of lines that git writes itself: with one of them, a quarter of the block may be such lines. */
const generated = /^(?:Signed-off-by: |\(cherry picked from commit )/

const isBlank = (line: string) => line.trim() === ''
const isComment = (line: string) => line.startsWith('#')
const isIndented = (line: string) => /^\s/.test(line)

/** The lines without those that git leaves out at the end of a message: blank ones and comments. */
const withoutTail = (lines: readonly string[]): readonly string[] =>
  lines.slice(0, lines.findLastIndex((line) => !isBlank(line) && !isComment(line)) + 1)

/**
 * The last paragraph, if it consists of trailers and their continuation lines; with a line that git wrote, trailers must be at least a
 * quarter of the lines. The first paragraph is the title.
 */
const readBlock = (lines: readonly string[]): readonly string[] => {
  const start = lines.findLastIndex(isBlank) + 1
  if (start === 0) return []
  const block = lines.slice(start).filter((line) => !isComment(line))
  let trailers = 0
  let others = 0
  let precedingTrailer = false
  for (const line of block) {
    if (isIndented(line)) {
      if (!precedingTrailer) others++
      continue
    }
    precedingTrailer = generated.test(line) || trailerPattern.test(line)
    if (precedingTrailer) trailers++
    else others++
  }
  const isBlock = block.some((line) => generated.test(line)) ? trailers * 3 >= others : trailers > 0 && others === 0
  return isBlock ? block : []
}

/** Appends continuation lines to the line before them. */
const unfold = (lines: readonly string[]): readonly string[] => {
  const unfolded: string[] = []
  for (const line of lines) {
    const before = unfolded.at(-1)
    if (before !== undefined && isIndented(line) && trailerPattern.test(before))
      unfolded[unfolded.length - 1] = `${before.trimEnd()} ${line.trim()}`
    else unfolded.push(line)
  }
  return unfolded
}

/** Reads the trailers of a message as `git interpret-trailers --parse` does. */
export const readTrailers = (message: string): Trailers => {
  // Most messages have no colon at the end of a word.
  if (!message.includes(':') || !message.includes('\n')) return noTrailers()
  const values = new Map<string, string[]>()
  for (const line of unfold(readBlock(withoutTail(message.trimStart().split(/\r?\n/))))) {
    const { name, value = '' } = trailerPattern.exec(line)?.groups ?? {}
    if (name !== undefined) values.set(name, [...(values.get(name) ?? []), value.trim()])
  }
  return {
    trailers: Object.fromEntries([...values].map(([name, all]) => [name, defined(all.at(-1))])),
    extendedTrailers: Object.fromEntries(values),
  }
}
