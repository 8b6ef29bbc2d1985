import type { MarkdownIt, Token } from 'markdown-it'

const tokensWithText = new Set(['text', 'text_special', 'code_inline', 'emoji', 'reference'])

/** The text of inline tokens without markup, for heading ids and image descriptions. */
export const inlineText = (tokens: readonly Token[]): string => {
  let text = ''
  for (const token of tokens) {
    if (tokensWithText.has(token.type)) text += token.content
    else if (token.type === 'softbreak' || token.type === 'hardbreak') text += '\n'
    else if (token.type === 'image') text += inlineText(token.children ?? [])
  }
  return text
}

/** Renders `alt` texts of images with their emoji, which markdown-it omits. */
export const withImageDescriptions = (parser: MarkdownIt): void => {
  parser.renderer.rules.image = (tokens, index, options, _environment, renderer) => {
    const token = tokens[index]
    token?.attrSet('alt', inlineText(token.children ?? []))
    return renderer.renderToken(tokens, index, options)
  }
}
