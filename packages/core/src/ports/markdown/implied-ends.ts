const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Elements that close an open paragraph. */
const blocks = set(
  'blockquote dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table ul',
)
const headings = set('h1 h2 h3 h4 h5 h6')
const cells = set('td th caption')
/** Allowed parents of each part of a table. */
const tableParents: ReadonlyMap<string, ReadonlySet<string>> = new Map([
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
const structure = new Set(['table', ...tableParents.keys()])

/** List items: the items that they close, and the lists that may contain them. */
const items: ReadonlyMap<string, { readonly ends: ReadonlySet<string>; readonly lists: ReadonlySet<string> }> = new Map(
  [
    ['dd', { ends: set('dd dt'), lists: set('dl') }],
    ['dt', { ends: set('dd dt'), lists: set('dl') }],
    ['li', { ends: set('li'), lists: set('ol ul') }],
  ],
)
/** Elements that protect an outer item from being closed by an item within them. */
const boundaries = new Set([...blocks, ...structure])
for (const name of ['div', 'p']) boundaries.delete(name)

const noNames: ReadonlySet<string> = new Set()

/** Index of the innermost wanted element, or -1 when there is none or an element of `stops` is further in. */
const findInnermost = (open: readonly string[], wanted: ReadonlySet<string>, stops = noNames): number => {
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
 * How many of the open elements stay open when `name` starts (WHATWG HTML 13.2.6.4): a list item closes the previous
 * one, a block closes a paragraph, a row closes its cells. Undefined when the element is not allowed there. Elements
 * are closed where a browser closes them, so end tags in the output cannot match elements of the surrounding page.
 */
export const countElementsToKeep = (open: readonly string[], name: string): number | undefined => {
  const holder = tableParents.get(name)
  if (holder) {
    const at = findInnermost(open, holder)
    return at < 0 ? undefined : at + 1
  }
  let length = open.length
  const cutAt = (at: number) => {
    if (at >= 0) length = Math.min(length, at)
  }
  const item = items.get(name)
  if (item) {
    const previous = findInnermost(open, item.ends, boundaries)
    if (previous < 0 && findInnermost(open, item.lists, boundaries) < 0) return undefined
    cutAt(previous)
  }
  if (blocks.has(name)) cutAt(findInnermost(open, paragraph, structure))
  if (name === 'a') cutAt(findInnermost(open, link))
  if (headings.has(name) && headings.has(open[length - 1] ?? '')) length--
  if (name !== 'table') return length
  const around = findInnermost(open.slice(0, length), structure)
  return around < 0 || cells.has(open[around] ?? '') ? length : undefined
}
