import type { AttributeRule } from './attribute-rules.ts'
import { anyText, flag, imageUrl, matching, oneOf, prefixed, url } from './attribute-rules.ts'

/** The elements that may appear, each with the attributes it may carry. Everything else is taken out. */
export interface AllowList {
  readonly elements: ReadonlyMap<string, ReadonlyMap<string, AttributeRule>>
  /** Elements that may carry any `data-` attribute. */
  readonly data: ReadonlySet<string>
}

type Rules = Readonly<Record<string, AttributeRule>>

const everywhere: Rules = {
  align: oneOf('left', 'right', 'center', 'justify'),
  dir: oneOf('auto', 'ltr', 'rtl'),
  id: prefixed,
  lang: matching(/^[A-Za-z0-9-]{1,64}$/),
  title: anyText,
}
const number = matching(/^\d{1,9}$/)
const size = matching(/^\d{1,5}%?$/)
const link = url('http', 'https', 'mailto')
const cell: Rules = {
  colspan: number,
  height: size,
  rowspan: number,
  scope: oneOf('row', 'col', 'rowgroup', 'colgroup'),
  valign: oneOf('top', 'middle', 'bottom', 'baseline'),
  width: size,
}

const plain = (names: string) => names.split(' ').map((name): [string, Rules] => [name, {}])

const inline: readonly [string, Rules][] = [
  ...plain('abbr b bdi bdo br cite code dfn em i kbd mark q rp rt ruby s samp small span strike strong sub sup'),
  ...plain('tt u var wbr'),
  ['a', { href: link, name: prefixed }],
  ['del', { datetime: anyText }],
  ['img', { alt: anyText, height: size, src: imageUrl, width: size }],
  ['ins', { datetime: anyText }],
  ['time', { datetime: anyText }],
]

const block: readonly [string, Rules][] = [
  ...plain('blockquote caption dd div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr p pre summary table tbody'),
  ...plain('tfoot thead tr ul'),
  ['col', { span: number, width: size }],
  ['colgroup', { span: number, width: size }],
  ['details', { open: flag }],
  ['li', { value: number }],
  ['ol', { reversed: flag, start: number, type: oneOf('1', 'a', 'i') }],
  ['td', cell],
  ['th', cell],
]

const className = matching(/^[A-Za-z0-9_+#. -]{1,255}$/)
const labelColors = matching(/^background-color: #[0-9A-Fa-f]{3,6}(?:; color: #[0-9A-Fa-f]{3,6})?$/)

/** What our own rules write and a text may not: hooks for styles and scripts of the page. */
const ours: readonly [string, Rules][] = [
  ['a', { 'aria-hidden': oneOf('true'), 'aria-label': anyText, class: className }],
  ['code', { class: className }],
  ['gl-emoji', { title: anyText }],
  // The sanitiser itself adds the type and disables it.
  ['input', { checked: flag, class: className }],
  ['li', { class: className }],
  ['ol', { class: className }],
  ['pre', { class: className, lang: matching(/^[A-Za-z0-9_+#.-]{1,64}$/) }],
  ['section', { class: className }],
  ['span', { class: className, style: labelColors }],
  ['sup', { class: className }],
  ['ul', { class: className }],
]

const listOf = (entries: readonly [string, Rules][], data: readonly string[] = []): AllowList => {
  const elements = new Map<string, Map<string, AttributeRule>>()
  for (const [name, rules] of entries) {
    const known = elements.get(name) ?? new Map(Object.entries(everywhere))
    for (const [attribute, rule] of Object.entries(rules)) known.set(attribute, rule)
    elements.set(name, known)
  }
  return { elements, data: new Set(data) }
}

const carriers = ['a', 'code', 'gl-emoji', 'pre', 'section']

/** Tags that a text may contain. */
export const writtenMarkup = listOf([...inline, ...block])

/** Everything a rendered text may contain. */
export const renderedMarkup = listOf([...inline, ...block, ...ours], carriers)

/** Tags that a single line may contain. */
export const writtenLineMarkup = listOf(inline)

/** Everything a rendered single line may contain. */
export const renderedLineMarkup = listOf([...inline, ['gl-emoji', { title: anyText }]], carriers)
