const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Blocks, before which an open paragraph ends. */
const blocks = set(
  'blockquote dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table ul',
)
const headings = set('h1 h2 h3 h4 h5 h6')
const cells = set('td th caption')
/** Of the parts of a table, the elements that each may stand right in. */
const holders: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['caption', set('table')],
  ['col', set('colgroup table')],
  ['colgroup', set('table')],
  ['tbody', set('table')],
  ['td', set('tr tbody thead tfoot table')],
  ['tfoot', set('table')],
  ['th', set('tr tbody thead tfoot table')],
  ['thead', set('table')],
  ['tr', set('tbody thead tfoot table')],
])
const structure = new Set(['table', ...holders.keys()])

/** Items that the next one of their kind ends, and the lists that they may stand in. */
const items: ReadonlyMap<string, { readonly ends: ReadonlySet<string>; readonly lists: ReadonlySet<string> }> = new Map(
  [
    ['dd', { ends: set('dd dt'), lists: set('dl') }],
    ['dt', { ends: set('dd dt'), lists: set('dl') }],
    ['li', { ends: set('li'), lists: set('ol ul') }],
  ],
)
/** What an item may lie in without ending where the next one begins. */
const walls = new Set([...blocks, ...structure])
for (const name of ['div', 'p']) walls.delete(name)

const nothing: ReadonlySet<string> = new Set()

/** Offset of the innermost element that is wanted, -1 when there is none or when a wall stands before it. */
const innermost = (open: readonly string[], wanted: ReadonlySet<string>, stops = nothing): number => {
  for (let at = open.length - 1; at >= 0; at--) {
    const name = open[at] ?? ''
    if (wanted.has(name)) return at
    if (stops.has(name)) return -1
  }
  return -1
}

const paragraph = set('p')
const link = set('a')

/**
 * How many of the open elements stay open when `name` begins, as a browser has it (WHATWG HTML 13.2.6.4): a list item
 * ends the one before, a block ends a paragraph, a row its cells. Undefined when the element has no place there at
 * all. Written out like this, elements end where a browser ends them, and their own ends meet nothing further out.
 */
export const staysOpen = (open: readonly string[], name: string): number | undefined => {
  const holder = holders.get(name)
  if (holder) {
    const at = innermost(open, holder)
    return at < 0 ? undefined : at + 1
  }
  let length = open.length
  const cutAt = (at: number) => {
    if (at >= 0) length = Math.min(length, at)
  }
  const item = items.get(name)
  if (item) {
    const previous = innermost(open, item.ends, walls)
    if (previous < 0 && innermost(open, item.lists, walls) < 0) return undefined
    cutAt(previous)
  }
  if (blocks.has(name)) cutAt(innermost(open, paragraph, structure))
  if (name === 'a') cutAt(innermost(open, link))
  if (headings.has(name) && headings.has(open[length - 1] ?? '')) length--
  if (name !== 'table') return length
  const around = innermost(open.slice(0, length), structure)
  return around < 0 || cells.has(open[around] ?? '') ? length : undefined
}
