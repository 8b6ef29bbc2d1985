import type { AttributeRule } from './attribute-rules.ts'
import { anyText, booleanAttribute, imageUrl, linkUrl, matching, oneOf, prefixedId } from './attribute-rules.ts'

/** Allowed elements with their allowed attributes. */
export interface AllowList {
  readonly elements: ReadonlyMap<string, ReadonlyMap<string, AttributeRule>>
  /** Elements on which all `data-` attributes are allowed. */
  readonly data: ReadonlySet<string>
}

type Rules = Readonly<Record<string, AttributeRule>>

const globalAttributes: Rules = {
  align: oneOf('left', 'right', 'center', 'justify'),
  dir: oneOf('auto', 'ltr', 'rtl'),
  id: prefixedId,
  lang: matching(/^[A-Za-z0-9-]{1,64}$/),
  title: anyText,
}
const number = matching(/^\d{1,9}$/)
const size = matching(/^\d{1,5}%?$/)
const cellAttributes: Rules = {
  colspan: number,
  height: size,
  rowspan: number,
  scope: oneOf('row', 'col', 'rowgroup', 'colgroup'),
  valign: oneOf('top', 'middle', 'bottom', 'baseline'),
  width: size,
}

const withoutAttributes = (names: string) => names.split(' ').map((name): [string, Rules] => [name, {}])

const inline: readonly [string, Rules][] = [
  ...withoutAttributes(
    'abbr b bdi bdo br cite code dfn em i kbd mark q rp rt ruby s samp small span strike strong sub sup',
  ),
  ...withoutAttributes('tt u var wbr'),
  ['a', { href: linkUrl, name: prefixedId }],
  ['del', { datetime: anyText }],
  ['img', { alt: anyText, height: size, src: imageUrl, width: size }],
  ['ins', { datetime: anyText }],
  ['time', { datetime: anyText }],
]

const block: readonly [string, Rules][] = [
  ...withoutAttributes(
    'blockquote caption dd div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr p pre summary table tbody',
  ),
  ...withoutAttributes('tfoot thead tr ul'),
  ['col', { span: number, width: size }],
  ['colgroup', { span: number, width: size }],
  ['details', { open: booleanAttribute }],
  ['li', { value: number }],
  ['ol', { reversed: booleanAttribute, start: number, type: oneOf('1', 'a', 'i') }],
  ['td', cellAttributes],
  ['th', cellAttributes],
]

const className = matching(/^[A-Za-z0-9_+#. -]{1,255}$/)
/** Colors of labels, and of the chips beside colors in code. */
const colors = matching(
  /^background-color: (?:#[0-9a-f]{3,6}(?:; color: #[0-9a-f]{3,6})?|#[0-9a-f]{8}|(?:rgb|hsl)a?\([\d.,%\s]{1,60}\))$/i,
)

/** Markup that only the renderer may write: hooks for styles and scripts of the page. */
const rendererElements: readonly [string, Rules][] = [
  ['a', { 'aria-hidden': oneOf('true'), 'aria-label': anyText, class: className }],
  ['code', { class: className }],
  ['gl-emoji', { title: anyText }],
  ['img', { class: className }],
  // The sanitizer adds `type` and `disabled`.
  ['input', { checked: booleanAttribute, class: className }],
  ['li', { class: className }],
  ['ol', { class: className }],
  ['pre', { class: className, lang: matching(/^[A-Za-z0-9_+#.-]{1,64}$/) }],
  ['section', { class: className }],
  ['span', { class: className, style: colors }],
  ['sup', { class: className }],
  ['ul', { class: className }],
]

const createAllowList = (entries: readonly [string, Rules][], data: readonly string[] = []): AllowList => {
  const elements = new Map<string, Map<string, AttributeRule>>()
  for (const [name, rules] of entries) {
    const known = elements.get(name) ?? new Map(Object.entries(globalAttributes))
    for (const [attribute, rule] of Object.entries(rules)) known.set(attribute, rule)
    elements.set(name, known)
  }
  return { elements, data: new Set(data) }
}

const elementsWithData = ['a', 'code', 'gl-emoji', 'pre', 'section']

/** Raw HTML that authors may write. */
export const authoredMarkup = createAllowList([...inline, ...block])

/** HTML of a rendered text. */
export const renderedMarkup = createAllowList([...inline, ...block, ...rendererElements], elementsWithData)

/** Raw HTML that authors may write in a single line. */
export const authoredLineMarkup = createAllowList(inline)

/** HTML of a rendered single line. */
export const renderedLineMarkup = createAllowList([...inline, ['gl-emoji', { title: anyText }]], elementsWithData)
