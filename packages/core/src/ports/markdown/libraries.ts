import { createRequire } from 'node:module'
import type { MarkdownIt } from 'markdown-it'

const load = createRequire(import.meta.url)

type Constructor = typeof import('markdown-it').default
type Emoji = typeof import('gemoji')

/**
 * A bare CommonMark parser with raw HTML. The library is loaded by the first call: together with the emoji names it
 * costs about as much as the rest of a process start, and many processes never render anything.
 */
export const commonMarkParser = (): MarkdownIt => {
  const Parser = load('markdown-it') as Constructor
  return new Parser('commonmark', { maxNesting: 100 })
}

/** Emoji names and characters, loaded by the first text that may hold one. */
export const emojiTables = (): Emoji => load('gemoji') as Emoji
