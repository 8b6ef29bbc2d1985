import type { Delimiter, MarkdownIt, StateInline, Token } from 'markdown-it'

const tilde = 126

/** Delimiters match by marker; a number above all code points makes runs of different length distinct. */
const kindOf = (length: number) => 0x7e0000 + length
const isRun = (marker: number) => marker > kindOf(0)

const convertToken = (token: Token | undefined, type: string, nesting: -1 | 1) => {
  if (!token) return
  token.type = type
  token.tag = 'del'
  token.nesting = nesting
  token.markup = token.content
  token.content = ''
}

const pair = (tokens: readonly Token[], delimiters: readonly Delimiter[]) => {
  for (const opener of delimiters) {
    if (!isRun(opener.marker) || opener.end < 0) continue
    convertToken(tokens[opener.token], 'del_open', 1)
    convertToken(tokens[delimiters[opener.end]?.token ?? -1], 'del_close', -1)
  }
}

const pairAll = (state: StateInline): void => {
  pair(state.tokens, state.delimiters)
  for (const meta of state.tokens_meta) if (meta?.delimiters) pair(state.tokens, meta.delimiters)
}

/**
 * Strikethrough (GFM 6.5). `lengths` are the allowed numbers of tildes: one or two in GFM, only two where `~` also
 * starts a label.
 */
export const withStrikethrough = (parser: MarkdownIt, lengths: readonly number[]): void => {
  parser.inline.ruler.at('strikethrough', (state, silent) => {
    if (silent || state.src.charCodeAt(state.pos) !== tilde) return false
    const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true)
    const run = '~'.repeat(length)
    state.pos += length
    if (!lengths.includes(length)) {
      state.pending += run
      return true
    }
    state.push('text', '', 0).content = run
    state.delimiters.push({ marker: kindOf(length), length: 0, token: state.tokens.length - 1, end: -1, open, close })
    return true
  })
  parser.inline.ruler2.at('strikethrough', pairAll)
  parser.inline.ruler.enable('strikethrough')
  parser.inline.ruler2.enable('strikethrough')
}
