import type { MarkdownIt, StateCore } from 'markdown-it'
import { idPrefix } from './attribute-rules.ts'
import { inlineText } from './inline-text.ts'

/** Words in lower case with hyphens between them: `What's new?` is `whats-new`. */
const slugOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
    .replace(/-{2,}/g, '-')

const anchorHeadings = (state: StateCore): void => {
  const { tokens, Token } = state
  const taken = new Set<string>()
  const repeats = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    const heading = tokens[index + 1]
    if (token.type !== 'heading_open' || !heading?.children) continue
    const slug = slugOf(inlineText(heading.children))
    if (slug === '') continue
    let id = slug
    while (taken.has(id)) {
      const repeat = (repeats.get(slug) ?? 0) + 1
      repeats.set(slug, repeat)
      id = `${slug}-${repeat}`
    }
    taken.add(id)
    const anchor = new Token('heading_anchor', 'a', 0)
    anchor.info = id
    heading.children.unshift(anchor)
  }
  if (taken.size > 0) followToHeadings(state, taken)
}

/** Links to a heading of the same text name it without the prefix that its id carries. */
const followToHeadings = ({ tokens }: StateCore, ids: ReadonlySet<string>): void => {
  for (const { children } of tokens) {
    for (const child of children ?? []) {
      const href = child.type === 'link_open' ? String(child.attrGet('href') ?? '') : ''
      if (href.startsWith('#') && ids.has(href.slice(1))) child.attrSet('href', `#${idPrefix}${href.slice(1)}`)
    }
  }
}

/** Every heading can be linked to by its words. */
export const withHeadingAnchors = (parser: MarkdownIt): void => {
  parser.core.ruler.before('text_join', 'heading_anchors', anchorHeadings)
  parser.renderer.rules.heading_anchor = (tokens, index) => {
    const id = parser.utils.escapeHtml(`${idPrefix}${tokens[index]?.info ?? ''}`)
    return `<a id="${id}" class="anchor" href="#${id}" aria-hidden="true"></a>`
  }
}
