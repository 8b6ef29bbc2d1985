import type { MarkdownIt, StateCore } from 'markdown-it'

const directed = new Set(['paragraph_open', 'heading_open', 'bullet_list_open', 'ordered_list_open', 'blockquote_open'])

const direct = ({ tokens }: StateCore): void => {
  for (const token of tokens) if (directed.has(token.type)) token.attrSet('dir', 'auto')
}

/** Sets `dir="auto"` on blocks, so that right-to-left text is aligned by its first letters. */
export const withDirection = (parser: MarkdownIt): void => {
  parser.core.ruler.before('text_join', 'direction', direct)
}
