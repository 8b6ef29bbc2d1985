import type { MarkdownIt, StateInline } from 'markdown-it'

const openings: Readonly<Record<string, { readonly end: string; readonly kind: 'addition' | 'deletion' }>> = {
  '{+': { end: '+}', kind: 'addition' },
  '[+': { end: '+]', kind: 'addition' },
  '{-': { end: '-}', kind: 'deletion' },
  '[-': { end: '-]', kind: 'deletion' },
}

interface Search {
  readonly from: number
  readonly at: number
}

/** The last search for each ending in a text: many openings share an ending, or have none. */
const searches = new WeakMap<StateInline, Map<string, Search>>()

const findEnd = (state: StateInline, end: string, from: number): number => {
  const known = searches.get(state) ?? new Map<string, Search>()
  searches.set(state, known)
  const last = known.get(end)
  if (last && last.from <= from && (last.at < 0 || last.at >= from)) return last.at
  const at = state.src.indexOf(end, from)
  known.set(end, { from, at })
  return at
}

const parseDiff = (state: StateInline, silent: boolean): boolean => {
  const opening = openings[state.src.slice(state.pos, state.pos + 2)]
  if (opening === undefined || state.env.insideDiff) return false
  const start = state.pos + 2
  const end = findEnd(state, opening.end, start)
  if (end <= start || end + 2 > state.posMax || state.src.slice(start, end).includes('\n')) return false
  if (silent) {
    state.pos = end + 2
    return true
  }
  const { posMax } = state
  state.push('inline_diff_open', 'span', 1).attrs = [['class', `idiff left right ${opening.kind}`]]
  state.pos = start
  state.posMax = end
  state.env.insideDiff = true
  state.md.inline.tokenize(state)
  state.env.insideDiff = false
  state.push('inline_diff_close', 'span', -1)
  state.pos = end + 2
  state.posMax = posMax
  return true
}

/** Marks added and removed words: `{+ added +}`, `[- removed -]`. */
export const withInlineDiffs = (parser: MarkdownIt): void => {
  parser.inline.ruler.before('link', 'inline_diff', parseDiff)
}
