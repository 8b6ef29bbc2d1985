import type { MarkdownIt } from 'markdown-it'
import type { AllowList } from './allow-list.ts'
import { writtenLineMarkup, writtenMarkup } from './allow-list.ts'
import { withAutolinks } from './autolinks.ts'
import { withCodeBlocks } from './code-blocks.ts'
import { withDirection } from './direction.ts'
import { withEmoji } from './emoji.ts'
import { withFootnotes } from './footnotes.ts'
import { withHeadingAnchors } from './headings.ts'
import { withImageDescriptions } from './inline-text.ts'
import { commonMarkParser } from './libraries.ts'
import { withLimits } from './limits.ts'
import { withReferences } from './reference-rule.ts'
import { onlyListedTags } from './sanitiser.ts'
import { withStrikethrough } from './strikethrough.ts'
import { withTables } from './tables.ts'
import { withoutFilteredTags, withTagFilter } from './tag-filter.ts'
import { withTaskLists } from './task-lists.ts'

/** CommonMark 0.31.2 and nothing else, raw HTML as it was written. */
export const commonMark = (): MarkdownIt => {
  const parser = commonMarkParser()
  withLimits(parser)
  // The library leaves out the line break of an empty quote.
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

/** CommonMark with the extensions of GFM 0.29, raw HTML as it was written but for the filtered tags. */
export const gitHubFlavouredMarkdown = (): MarkdownIt => {
  const parser = gitHubFlavour([1, 2])
  withTaskLists(parser)
  return parser
}

/** Raw HTML with the listed tags and attributes only, whatever the other rules write. */
const withListedTags = (parser: MarkdownIt, list: AllowList): MarkdownIt => {
  const listed: MarkdownIt['renderer']['rules'][string] = (tokens, index) =>
    onlyListedTags(withoutFilteredTags(tokens[index]?.content ?? ''), list, {})
  parser.renderer.rules.html_block = listed
  parser.renderer.rules.html_inline = listed
  return parser
}

/** CommonMark with tables, strikethrough and autolinks. */
const plainParser = (): MarkdownIt => withListedTags(gitHubFlavour([1, 2]), writtenMarkup)

/** Everything the platform understands. A single `~` begins a label, so only two strike through. */
const platformParser = (): MarkdownIt => {
  const parser = gitHubFlavour([2])
  withTaskLists(parser)
  withCodeBlocks(parser)
  withFootnotes(parser)
  withEmoji(parser)
  withReferences(parser)
  withDirection(parser)
  withHeadingAnchors(parser)
  withImageDescriptions(parser)
  return withListedTags(parser, writtenMarkup)
}

/** One line: emoji and inline markup, no blocks and no references. */
const lineParser = (): MarkdownIt => {
  const parser = gitHubFlavour([2])
  withEmoji(parser)
  withImageDescriptions(parser)
  return withListedTags(parser, writtenLineMarkup)
}

const makers = { line: lineParser, plain: plainParser, platform: platformParser }
const made = new Map<keyof typeof makers, MarkdownIt>()

/** The parser of a flavour, made by the first text that needs it. It keeps nothing of a text, so everybody shares it. */
export const parserOf = (flavour: keyof typeof makers): MarkdownIt => {
  const known = made.get(flavour)
  if (known) return known
  const parser = makers[flavour]()
  made.set(flavour, parser)
  return parser
}
