import type { MarkdownIt, RendererRule } from 'markdown-it'

const filtered = /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[\s/>]|$))/gi

/** Escapes the nine tags that change how the HTML after them is parsed (GFM 6.11). */
export const escapeFilteredTags = (html: string): string => html.replace(filtered, '&lt;')

/** Renders raw HTML without the filtered tags. */
export const withTagFilter = (parser: MarkdownIt): void => {
  const filter: RendererRule = (tokens, index) => escapeFilteredTags(tokens[index]?.content ?? '')
  parser.renderer.rules.html_block = filter
  parser.renderer.rules.html_inline = filter
}
