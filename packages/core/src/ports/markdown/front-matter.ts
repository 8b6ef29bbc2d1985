import type { MarkdownIt, StateBlock } from 'markdown-it'

/** Languages of front matter by the line that encloses it. */
const languages: Readonly<Record<string, string>> = { '---': 'yaml', '+++': 'toml', ';;;': 'json' }

const lineOf = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd()

const parseFrontMatter = (state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean => {
  if (startLine > 0 || silent || state.parentType !== 'root' || state.sCount[0] !== 0) return false
  const { mark = '', language = '' } =
    /^(?<mark>---|\+\+\+|;;;)(?<language>[a-z]*)$/.exec(lineOf(state, 0))?.groups ?? {}
  const known = languages[mark]
  if (known === undefined) return false
  let end = 1
  while (end < endLine && (state.sCount[end] !== 0 || lineOf(state, end) !== mark)) end++
  if (end === 1 || end >= endLine) return false
  const token = state.push('fence', 'code', 0)
  token.info = language || known
  token.content = state.getLines(1, end, 0, true)
  token.map = [0, end + 1]
  state.line = end + 1
  return true
}

/** Shows front matter (settings of the file between `---`, `+++` or `;;;` at its beginning) as a code block. */
export const withFrontMatter = (parser: MarkdownIt): void => {
  parser.block.ruler.before('table', 'front_matter', parseFrontMatter)
}
