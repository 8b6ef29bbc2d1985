import { defined } from '../../../shared/defined.ts'
import { appendedTexts, type QuickActionName, quickActionsByName } from './definitions.ts'

/** `/label ~bug` is `label` with the argument `~bug`. */
export interface QuickAction {
  readonly name: QuickActionName
  /** Trimmed; empty if nothing follows the name. */
  readonly argument: string
}

/** Per comment; further ones stay in the text. Each takes several statements, and a body has room for over 100,000. */
const maxQuickActions = 50

/** Distinct labels or users of a quick action; further ones are ignored. Each takes a query, and a body has room for 200,000. */
const maxWords = 50

/** How the block ends that the line begins: fenced code, a quote of several lines, or HTML. */
const findOpening = (line: string): string | undefined =>
  /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ??
  (/^>>>\s*$/.test(line) ? '>>>' : /^<[a-z][^<>]*>\s*$/i.test(line) ? '</' : undefined)

const closesBlock = (line: string, opening: string): boolean => {
  const bare = line.trim()
  if (opening === '</') return /^<\/[a-z][^<>]*>$/i.test(bare)
  return bare.length >= opening.length && bare === defined(opening[0]).repeat(bare.length)
}

/** Start and end offsets of the code spans of a paragraph: CommonMark 0.31.2, section 6.1. */
const findCodeSpans = (paragraph: string): readonly (readonly [number, number])[] => {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ index, 0: run }) => ({ index, length: run.length }))
  const nextOfLength = new Map<number, number>()
  const next = new Array<number | undefined>(runs.length)
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length } = defined(runs[index])
    next[index] = nextOfLength.get(length)
    nextOfLength.set(length, index)
  }
  const spans: [number, number][] = []
  for (let index = 0; index < runs.length; index++) {
    const end = next[index]
    if (end === undefined) continue
    spans.push([defined(runs[index]?.index), defined(runs[end]?.index)])
    index = end
  }
  return spans
}

/** For each line, whether it is in a block of code, of a quote or of HTML, or begins inside a code span of several lines. */
const markCodeLines = (lines: readonly string[]): readonly boolean[] => {
  const code = new Array<boolean>(lines.length).fill(false)
  let fence: string | undefined
  let first: number | undefined
  const endParagraph = (end: number) => {
    if (first === undefined) return
    const spans = findCodeSpans(lines.slice(first, end).join('\n'))
    let [start, span] = [0, 0]
    for (let index = first; index < end; index++) {
      while ((spans[span]?.[1] ?? Number.POSITIVE_INFINITY) < start) span++
      code[index] = (spans[span]?.[0] ?? Number.POSITIVE_INFINITY) < start
      start += defined(lines[index]).length + 1
    }
    first = undefined
  }
  lines.forEach((line, index) => {
    if (fence !== undefined) {
      code[index] = true
      if (closesBlock(line, fence)) fence = undefined
      return
    }
    fence = findOpening(line)
    if (fence !== undefined || line.trim() === '') endParagraph(index)
    else first ??= index
  })
  endParagraph(lines.length)
  return code
}

type Line = QuickAction | { readonly appended: string } | undefined

const parseLine = (line: string): Line => {
  const match = /^\/([a-z_]{1,20})(?=\s|$)/i.exec(line)
  const written = match?.[1]?.toLowerCase()
  if (!match || written === undefined) return undefined
  const argument = line.slice(match[0].length).trim()
  const appended = appendedTexts.get(written)
  if (appended !== undefined) return { appended: `${argument} ${appended}`.trimStart() }
  const name = quickActionsByName.get(written)
  return name && { name, argument }
}

/**
 * Extracts the quick actions of a text: lines outside of code and quotes that begin with a slash and a known name. The remaining
 * text is trimmed; a text without quick actions is returned unchanged.
 */
export const extractQuickActions = (
  body: string,
): { readonly text: string; readonly actions: readonly QuickAction[] } => {
  if (!body.includes('/')) return { text: body, actions: [] }
  const lines = body.split('\n')
  const code = markCodeLines(lines)
  const actions: QuickAction[] = []
  const rest = lines.flatMap((line, index) => {
    const parsed = code[index] ? undefined : parseLine(line)
    if (!parsed || ('name' in parsed && actions.length >= maxQuickActions)) return [line]
    if ('appended' in parsed) return [parsed.appended]
    actions.push(parsed)
    return []
  })
  const text = rest.join('\n')
  return { text: actions.length ? text.trim() : text, actions }
}

/** The first 50 distinct words of an argument without their sign: `~"needs review", ~bug` are `needs review` and `bug`. */
export const splitWords = (argument: string, sign: '~' | '@' | '%'): readonly string[] => {
  const words = new Set<string>()
  let position = 0
  while (position < argument.length && words.size < maxWords) {
    const bare = argument[position] === sign ? position + 1 : position
    const quoteEnd = argument[bare] === '"' ? argument.indexOf('"', bare + 1) : -1
    if (quoteEnd > 0) {
      if (quoteEnd > bare + 1) words.add(argument.slice(bare + 1, quoteEnd))
      position = quoteEnd + 1
      continue
    }
    let end = bare
    while (end < argument.length && !/[\s,]/.test(defined(argument[end]))) end++
    if (end > bare) words.add(argument.slice(bare, end))
    position = end + 1
  }
  return [...words]
}
