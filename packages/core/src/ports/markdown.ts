import type { Env, MarkdownIt, Token } from 'markdown-it'
import { invalidInput } from '../kernel/errors.ts'
import type { AllowList } from './markdown/allow-list.ts'
import { renderedLineMarkup, renderedMarkup } from './markdown/allow-list.ts'
import type { Images } from './markdown/attribute-rules.ts'
import { startTimeBudget } from './markdown/limits.ts'
import { createLineCache } from './markdown/line-cache.ts'
import { getParser } from './markdown/parsers.ts'
import type { Reference, Resolve } from './markdown/reference.ts'
import { createReferenceCollector } from './markdown/reference.ts'
import { collectReferences, resolveReferences } from './markdown/reference-rule.ts'
import { sanitise } from './markdown/sanitiser.ts'

/**
 * - `plain`: CommonMark with tables, strikethrough and autolinks; no references, no emoji.
 * - `platform`: additionally task lists, footnotes, formulas, emoji names and references.
 * - `line`: a single line such as a label's description: emoji and inline markup, no blocks, no references.
 */
export type Flavour = 'plain' | 'platform' | 'line'

/** How URLs in a text are resolved. */
export interface ReadOptions {
  /** URL of the platform: full URLs below it may be references. Absolute, with or without a trailing slash. */
  readonly baseUrl?: string
  /** Absolute URL that relative links and images are resolved against; without it they stay relative. */
  readonly relativeTo?: string
  /** Rewrites URLs of images; without it they stay unchanged. */
  readonly images?: Images
}

/** A parsed text. */
export interface MarkdownDocument {
  /** Distinct references in order of appearance, at most 1,000 of a kind. Only the platform flavour has any. */
  readonly references: readonly Reference[]
  /**
   * Sanitised HTML. `resolve` is called once for each reference. It returns what one viewer may see, so the result must
   * not be cached for other viewers. References without a result stay as written.
   */
  html(resolve?: Resolve): string
}

/** Renders Markdown as sanitised HTML. */
export interface Markdown {
  /**
   * Parses a text of at most 1,000,000 characters.
   *
   * @throws PlatformError `invalid_input` when it is longer
   */
  read(text: string, flavour: Flavour, options?: ReadOptions): MarkdownDocument
  /** The HTML of a single line; the same for all viewers. Cached. */
  line(text: string, options?: ReadOptions): string
}

export interface MarkdownSettings {
  /** Milliseconds for parsing one text; the rest of the text stays as written. Default 1,000. */
  readonly timeBudget?: number
  /** Size of the cache of rendered lines in bytes. Default 4 MiB. */
  readonly lineCacheBytes?: number
}

const maxTextLength = 1_000_000

/** The limit counts code points, which are only counted for texts near the limit. */
const isTooLong = (text: string): boolean => {
  if (text.length <= maxTextLength) return false
  if (text.length > 2 * maxTextLength) return true
  let pairs = 0
  for (let at = 0; at < text.length; at++) if ((text.codePointAt(at) ?? 0) > 0xffff) pairs++
  return text.length - pairs > maxTextLength
}

interface Pipeline {
  readonly list: AllowList
  readonly parse: (parser: MarkdownIt, text: string, environment: Env) => Token[]
}

const parseDocument: Pipeline['parse'] = (parser, text, environment) => parser.parse(text, environment)

const joinLines = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join(' ')
    .trim()

const pipelines: Readonly<Record<Flavour, Pipeline>> = {
  plain: { list: renderedMarkup, parse: parseDocument },
  platform: { list: renderedMarkup, parse: parseDocument },
  line: {
    list: renderedLineMarkup,
    parse: (parser, text, environment) => parser.parseInline(joinLines(text), environment),
  },
}

/**
 * The default renderer: CommonMark 0.31.2 and GFM 0.29. The first text loads its libraries.
 */
export const embeddedMarkdown = ({
  timeBudget = 1_000,
  lineCacheBytes = 4 * 1024 * 1024,
}: MarkdownSettings = {}): Markdown => {
  const lines = createLineCache(lineCacheBytes)

  const read: Markdown['read'] = (text, flavour, { baseUrl, relativeTo, images } = {}) => {
    if (isTooLong(text)) {
      throw invalidInput([{ fields: ['text'], message: `is too long (maximum is ${maxTextLength} characters)` }])
    }
    const { list, parse } = pipelines[flavour]
    const parser = getParser(flavour)
    const environment: Env = {}
    const collector = createReferenceCollector()
    startTimeBudget(environment, timeBudget)
    collectReferences(environment, { references: collector, baseUrl })
    const tokens = parse(parser, text, environment)
    return {
      references: collector.all,
      html: (resolve) => {
        resolveReferences(environment, resolve)
        const html = parser.renderer.render(tokens, parser.options, environment)
        return sanitise(html, list, { ...(relativeTo !== undefined && { relativeTo }), ...(images && { images }) })
      },
    }
  }

  const line: Markdown['line'] = (text, options = {}) => {
    const { relativeTo = '', images } = options
    // URLs and ids have no line breaks, so the parts of the key are unambiguous.
    const isContextFree = relativeTo === '' && !images && !text.includes('\n')
    const key = isContextFree ? text : `${relativeTo}\n${images?.id ?? ''}\n${text}`
    const cached = lines.get(key)
    if (cached !== undefined) return cached
    const html = read(text, 'line', options).html()
    lines.set(key, html)
    return html
  }

  return { read, line }
}
