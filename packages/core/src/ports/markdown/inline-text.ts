import type { MarkdownIt, Token } from 'markdown-it'

const own = new Set(['text', 'text_special', 'code_inline', 'emoji', 'reference'])

/** What inline tokens say without their markup: the words of a heading, the description of an image. */
export const inlineText = (tokens: readonly Token[]): string => {
  let text = ''
  for (const token of tokens) {
    if (own.has(token.type)) text += token.content
    else if (token.type === 'softbreak' || token.type === 'hardbreak') text += '\n'
    else if (token.type === 'image') text += inlineText(token.children ?? [])
  }
  return text
}

/** Descriptions of images keep the emoji in them. */
export const withImageDescriptions = (parser: MarkdownIt): void => {
  parser.renderer.rules.image = (tokens, index, options, _environment, renderer) => {
    const token = tokens[index]
    token?.attrSet('alt', inlineText(token.children ?? []))
    return renderer.renderToken(tokens, index, options)
  }
}
