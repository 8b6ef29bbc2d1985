import type { MarkdownIt, StateBlock } from 'markdown-it'

const mark = '>>>'

const lineOf = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd()

const fence = /^(?:`{3,}|~{3,})/

/** The line that ends a quote; undefined without one. Lines of code blocks do not. */
const findEnd = (state: StateBlock, startLine: number, endLine: number): number | undefined => {
  let code: string | undefined
  for (let line = startLine + 1; line < endLine; line++) {
    const text = lineOf(state, line)
    if ((state.sCount[line] ?? 0) < state.blkIndent && text !== '') return undefined
    const mayBeFence = fence.exec(text)?.[0]
    if (code !== undefined) {
      if (mayBeFence?.startsWith(code) && text === mayBeFence) code = undefined
    } else if (mayBeFence !== undefined) code = mayBeFence
    else if (text === mark) return line
  }
  return undefined
}

const parseQuote = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
  if (lineOf(state, startLine) !== mark || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false
  const end = findEnd(state, startLine, endLine)
  if (end === undefined) return false
  if (silent) return true
  const { parentType, lineMax } = state
  state.push('blockquote_open', 'blockquote', 1).map = [startLine, end + 1]
  state.parentType = 'blockquote'
  state.lineMax = end
  state.md.block.tokenize(state, startLine + 1, end)
  state.parentType = parentType
  state.lineMax = lineMax
  state.push('blockquote_close', 'blockquote', -1)
  state.line = end + 1
  return true
}

/** Renders the lines between two lines `>>>` as a quote. */
export const withMultilineQuotes = (parser: MarkdownIt): void => {
  parser.block.ruler.before('blockquote', 'multiline_quote', parseQuote, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
}
