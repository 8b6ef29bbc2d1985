import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { idPrefix } from './attribute-rules.ts'
import { inlineText } from './inline-text.ts'

const mark = /^\[\[_TOC_\]\]$|^\[TOC\]$/i

interface Entry {
  readonly level: number
  readonly id: string
  readonly text: string
}

/** The headings of the text that have an anchor. */
const readEntries = (tokens: readonly Token[]): readonly Entry[] =>
  tokens.flatMap((token, index) => {
    const children = tokens[index + 1]?.children
    const anchor = token.type === 'heading_open' ? children?.find(({ type }) => type === 'heading_anchor') : undefined
    if (!anchor || !children) return []
    return [{ level: Number(token.tag.slice(1)), id: anchor.info, text: inlineText(children).trim() }]
  })

/** Nested lists: a deeper heading is below the one before it. */
const renderEntries = (entries: readonly Entry[], escapeText: (text: string) => string): string => {
  const levels: number[] = []
  let html = ''
  for (const { level, id, text } of entries) {
    if (levels.length === 0 || level > (levels.at(-1) ?? 0)) {
      html += levels.length === 0 ? '<ul class="section-nav">\n' : '\n<ul>\n'
      levels.push(level)
    } else {
      html += '</li>\n'
      while (levels.length > 1 && level < (levels.at(-1) ?? 0)) {
        html += '</ul>\n</li>\n'
        levels.pop()
      }
      // A heading above the first one begins no new list.
      levels[levels.length - 1] = level
    }
    html += `<li><a href="#${escapeText(idPrefix + id)}">${escapeText(text)}</a>`
  }
  return html === '' ? '' : `${html}${'</li>\n</ul>\n'.repeat(levels.length)}`
}

/** Replaces the first mark, which has a paragraph of its own. */
const placeTable = ({ tokens, Token }: StateCore): void => {
  const at = tokens.findIndex(({ type, content }, index) => {
    return type === 'inline' && tokens[index - 1]?.type === 'paragraph_open' && mark.test(content)
  })
  const open = tokens[at - 1]
  if (open?.level !== 0) return
  const table = new Token('table_of_contents', '', 0)
  table.meta = { entries: readEntries(tokens) }
  tokens.splice(at - 1, 3, table)
}

/** Shows links to all headings in place of a paragraph `[[_TOC_]]` or `[TOC]`. */
export const withTableOfContents = (parser: MarkdownIt): void => {
  parser.core.ruler.after('heading_anchors', 'table_of_contents', placeTable)
  parser.renderer.rules.table_of_contents = (tokens, index) =>
    renderEntries((tokens[index]?.meta?.entries ?? []) as readonly Entry[], parser.utils.escapeHtml)
}
