import type { MarkdownIt, RendererRule, StateCore } from 'markdown-it'
import { type AllowList, authoredLineMarkup, authoredMarkup } from './allow-list.ts'
import { withAutolinks } from './autolinks.ts'
import { withCodeBlocks } from './code-blocks.ts'
import { withColorChips } from './color-chips.ts'
import { withEmoji } from './emoji.ts'
import { withFootnotes } from './footnotes.ts'
import { withFrontMatter } from './front-matter.ts'
import { withHeadingAnchors } from './headings.ts'
import { withInlineDiffs } from './inline-diff.ts'
import { withImageDescriptions } from './inline-text.ts'
import { commonMarkParser, emojiTables } from './libraries.ts'
import { getBudget, withLimits } from './limits.ts'
import { withMultilineQuotes } from './multiline-quotes.ts'
import { withReferences } from './reference-rule.ts'
import { filterTags } from './sanitizer.ts'
import { withStrikethrough } from './strikethrough.ts'
import { withTableOfContents } from './table-of-contents.ts'
import { withTaskLists } from './task-lists.ts'

const alignments: Readonly<Record<string, string>> = {
  'text-align:left': 'left',
  'text-align:center': 'center',
  'text-align:right': 'right',
}

/** markdown-it aligns cells by a style; GFM uses the `align` attribute, and the allow-list has no styles. */
const alignByAttribute = ({ tokens }: StateCore): void => {
  for (const token of tokens) {
    if (token.type !== 'th_open' && token.type !== 'td_open') continue
    const alignment = alignments[String(token.attrGet('style') ?? '')]
    if (alignment !== undefined) token.attrs = [['align', alignment]]
  }
}

/** Tables with aligned columns (GFM 4.10). */
const withTables = (parser: MarkdownIt): void => {
  parser.block.ruler.enable('table')
  parser.core.ruler.after('block', 'cell_alignment', alignByAttribute)
}

const filtered = /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[\s/>]|$))/gi

/** Escapes the nine tags that change how the HTML after them is parsed (GFM 6.11). */
const escapeFilteredTags = (html: string): string => html.replace(filtered, '&lt;')

/** Renders raw HTML without the filtered tags. */
const withTagFilter = (parser: MarkdownIt): void => {
  const filter: RendererRule = (tokens, index) => escapeFilteredTags(tokens[index]?.content ?? '')
  parser.renderer.rules.html_block = filter
  parser.renderer.rules.html_inline = filter
}

const directed = new Set(['paragraph_open', 'heading_open', 'bullet_list_open', 'ordered_list_open', 'blockquote_open'])

const direct = ({ tokens }: StateCore): void => {
  for (const token of tokens) if (directed.has(token.type)) token.attrSet('dir', 'auto')
}

/** Sets `dir="auto"` on blocks, so that right-to-left text is aligned by its first letters. */
const withDirection = (parser: MarkdownIt): void => {
  parser.core.ruler.before('text_join', 'direction', direct)
}

/** CommonMark 0.31.2 without extensions; raw HTML is unchanged. */
export const commonMark = (): MarkdownIt => {
  const parser = commonMarkParser()
  withLimits(parser)
  // markdown-it omits the line break of an empty quote.
  parser.renderer.rules.blockquote_open = (tokens, index, options, _environment, renderer) =>
    `${renderer.renderToken(tokens, index, options).trimEnd()}\n`
  return parser
}

const gitHubFlavour = (tildes: readonly number[]): MarkdownIt => {
  const parser = commonMark()
  withTables(parser)
  withStrikethrough(parser, tildes)
  withAutolinks(parser)
  withTagFilter(parser)
  return parser
}

/** CommonMark with the extensions of GFM 0.29; raw HTML is unchanged except for the filtered tags. */
export const gitHubFlavouredMarkdown = (): MarkdownIt => {
  const parser = gitHubFlavour([1, 2])
  withTaskLists(parser)
  return parser
}

/** Filters raw HTML of the author by the allow-list. */
const withListedTags = (parser: MarkdownIt, list: AllowList): MarkdownIt => {
  const listed: RendererRule = (tokens, index, _options, environment) =>
    filterTags(escapeFilteredTags(tokens[index]?.content ?? ''), list, {}, getBudget(environment))
  parser.renderer.rules.html_block = listed
  parser.renderer.rules.html_inline = listed
  return parser
}

/** CommonMark with tables, strikethrough and autolinks. */
const plainParser = (): MarkdownIt => withListedTags(gitHubFlavour([1, 2]), authoredMarkup)

/** All extensions. A single `~` starts a label, so strikethrough requires two. */
const platformParser = (): MarkdownIt => {
  const parser = gitHubFlavour([2])
  withTaskLists(parser)
  withCodeBlocks(parser)
  withFootnotes(parser)
  withEmoji(parser)
  withReferences(parser)
  withDirection(parser)
  withHeadingAnchors(parser)
  withTableOfContents(parser)
  withImageDescriptions(parser)
  withFrontMatter(parser)
  withMultilineQuotes(parser)
  withInlineDiffs(parser)
  withColorChips(parser)
  return withListedTags(parser, authoredMarkup)
}

/** A single line: emoji and inline markup, no blocks and no references. */
const lineParser = (): MarkdownIt => {
  const parser = gitHubFlavour([2])
  withEmoji(parser)
  withImageDescriptions(parser)
  return withListedTags(parser, authoredLineMarkup)
}

const factories = { line: lineParser, plain: plainParser, platform: platformParser }
const parsers = new Map<keyof typeof factories, MarkdownIt>()

/** Matches every text with an emoji name. */
const emojiName = /:[a-z0-9_+-]+:/

/**
 * The parser of a flavour, created on first use. It has no state of a text, so all texts share it. Loads the libraries that the
 * text needs, so that loading them does not count as work on the text.
 */
export const prepareParser = (text: string, flavour: keyof typeof factories): MarkdownIt => {
  if (flavour !== 'plain' && emojiName.test(text)) emojiTables()
  const existing = parsers.get(flavour)
  if (existing) return existing
  const parser = factories[flavour]()
  parsers.set(flavour, parser)
  return parser
}
