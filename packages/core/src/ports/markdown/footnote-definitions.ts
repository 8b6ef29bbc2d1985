import type { Env, MarkdownIt, StateBlock } from 'markdown-it'

const openBracket = 91
const closeBracket = 93
const caret = 94
const space = 32
const longestLabel = 255

/** The label of `[^label]` at `at`, or undefined. Labels contain neither white space nor brackets. */
export const footnoteLabelAt = (text: string, at: number, limit: number): string | undefined => {
  if (text.charCodeAt(at) !== openBracket || text.charCodeAt(at + 1) !== caret) return undefined
  const from = at + 2
  const last = Math.min(limit, from + longestLabel + 1)
  for (let end = from; end < last; end++) {
    const code = text.charCodeAt(end)
    if (code === closeBracket) return end > from ? text.slice(from, end) : undefined
    if (code <= space || code === openBracket) return undefined
  }
  return undefined
}

/** Normalized labels of all footnotes that the text defines. */
export const definedFootnotes = (environment: Env): Set<string> => {
  environment.footnotes ??= new Set<string>()
  return environment.footnotes as Set<string>
}

/** Leaves the tokens of a definition at its place; a core rule moves them to the end of the document. */
const parseDefinition = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
  const indent = state.sCount[startLine] ?? 0
  if (indent - state.blkIndent >= 4) return false
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0)
  const limit = state.eMarks[startLine] ?? 0
  const label = footnoteLabelAt(state.src, start, limit)
  const content = start + (label?.length ?? 0) + 4
  if (label === undefined || state.src[content - 1] !== ':') return false
  if (silent) return true
  if (state.env.insideFootnote) return false

  const name = state.md.utils.normalizeReference(label)
  definedFootnotes(state.env).add(name)
  const open = state.push('footnote_open', '', 1)
  open.hidden = true
  open.info = name

  const { blkIndent, parentType } = state
  const kept = [state.bMarks[startLine] ?? 0, state.tShift[startLine] ?? 0, indent] as const
  state.env.insideFootnote = true
  state.blkIndent = blkIndent + 4
  state.parentType = 'footnote'
  state.bMarks[startLine] = Math.min(state.skipSpaces(content), limit)
  state.tShift[startLine] = 0
  state.sCount[startLine] = state.blkIndent
  state.md.block.tokenize(state, startLine, endLine)
  state.bMarks[startLine] = kept[0]
  state.tShift[startLine] = kept[1]
  state.sCount[startLine] = kept[2]
  state.blkIndent = blkIndent
  state.parentType = parentType
  state.env.insideFootnote = false

  state.push('footnote_close', '', -1).hidden = true
  return true
}

/** Parses `[^label]: text`; further paragraphs are indented by four columns. */
export const withFootnoteDefinitions = (parser: MarkdownIt): void => {
  parser.block.ruler.before('reference', 'footnote_definition', parseDefinition, { alt: ['paragraph', 'reference'] })
}
