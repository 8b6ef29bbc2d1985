import type { MarkdownIt, RendererRule } from 'markdown-it'

const filtered = /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[\s/>]|$))/gi

/** Shows the nine tags that change how the HTML behind them is read, instead of using them (GFM 6.11). */
export const withoutFilteredTags = (html: string): string => html.replace(filtered, '&lt;')

/** Raw HTML without the filtered tags. */
export const withTagFilter = (parser: MarkdownIt): void => {
  const filter: RendererRule = (tokens, index) => withoutFilteredTags(tokens[index]?.content ?? '')
  parser.renderer.rules.html_block = filter
  parser.renderer.rules.html_inline = filter
}
