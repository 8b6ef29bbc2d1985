import { createRequire } from 'node:module'
import type { Tokenizer, TokenizerCallbacks } from 'htmlparser2'
import type { MarkdownIt } from 'markdown-it'

const load = createRequire(import.meta.url)

type Constructor = typeof import('markdown-it').default
type Emoji = typeof import('gemoji')
type HtmlParser = typeof import('htmlparser2')

/**
 * A CommonMark parser with raw HTML. The first call loads the library: together with the emoji names it takes about as
 * long as the rest of the process start, and many processes never render Markdown.
 */
export const commonMarkParser = (): MarkdownIt => {
  const Parser = load('markdown-it') as Constructor
  return new Parser('commonmark', { maxNesting: 100 })
}

/** Emoji names and characters, loaded by the first text that may contain one. */
export const emojiTables = (): Emoji => load('gemoji') as Emoji

/** Loaded by the first text. */
export const loadHtmlTokenizer = (): HtmlParser => load('htmlparser2') as HtmlParser

/** An HTML tokenizer that decodes character references. */
export const htmlTokenizer = (callbacks: TokenizerCallbacks): Tokenizer => {
  const { Tokenizer } = loadHtmlTokenizer()
  return new Tokenizer({}, callbacks)
}
