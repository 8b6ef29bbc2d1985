import type { MarkdownIt, StateCore } from 'markdown-it'
import { idPrefix } from './attribute-rules.ts'
import { inlineText } from './inline-text.ts'

/** Lower-case words joined by hyphens: `whats-new` for `What's new?`, `anchor-2026` for `2026`, which could be the number of an item. */
const slugOf = (text: string): string => {
  const slug = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
    .replace(/-{2,}/g, '-')
  return /^\d+$/.test(slug) ? `anchor-${slug}` : slug
}

const anchorHeadings = (state: StateCore): void => {
  const { tokens, Token } = state
  const usedIds = new Set<string>()
  const repeats = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    const heading = tokens[index + 1]
    if (token.type !== 'heading_open' || !heading?.children) continue
    const slug = slugOf(inlineText(heading.children))
    if (slug === '') continue
    let id = slug
    while (usedIds.has(id)) {
      const repeat = (repeats.get(slug) ?? 0) + 1
      repeats.set(slug, repeat)
      id = `${slug}-${repeat}`
    }
    usedIds.add(id)
    const anchor = new Token('heading_anchor', 'a', 0)
    anchor.info = id
    heading.children.unshift(anchor)
  }
  if (usedIds.size > 0) prefixHeadingLinks(state, usedIds)
}

/** Adds the id prefix to links to headings of the same text, which authors write without it. */
const prefixHeadingLinks = ({ tokens }: StateCore, ids: ReadonlySet<string>): void => {
  for (const { children } of tokens) {
    for (const child of children ?? []) {
      const href = child.type === 'link_open' ? String(child.attrGet('href') ?? '') : ''
      if (href.startsWith('#') && ids.has(href.slice(1))) child.attrSet('href', `#${idPrefix}${href.slice(1)}`)
    }
  }
}

/** Adds an anchor to every heading, with an id made of its words. */
export const withHeadingAnchors = (parser: MarkdownIt): void => {
  parser.core.ruler.before('text_join', 'heading_anchors', anchorHeadings)
  parser.renderer.rules.heading_anchor = (tokens, index) => {
    const id = parser.utils.escapeHtml(`${idPrefix}${tokens[index]?.info ?? ''}`)
    return `<a id="${id}" class="anchor" href="#${id}" aria-hidden="true"></a>`
  }
}
