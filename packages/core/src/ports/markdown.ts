import type { Env, MarkdownIt, Token } from 'markdown-it'
import { invalidInput } from '../kernel/errors.ts'
import type { AllowList } from './markdown/allow-list.ts'
import { renderedLineMarkup, renderedMarkup } from './markdown/allow-list.ts'
import type { Images } from './markdown/attribute-rules.ts'
import { startBudget } from './markdown/limits.ts'
import { parserOf } from './markdown/parsers.ts'
import type { Reference, Resolve } from './markdown/reference.ts'
import { references } from './markdown/reference.ts'
import { collectReferences, resolveReferences } from './markdown/reference-rule.ts'
import { renderedLines } from './markdown/rendered-lines.ts'
import { sanitised } from './markdown/sanitiser.ts'

/**
 * - `plain`: CommonMark with tables, strikethrough and autolinks; no references, no emoji.
 * - `platform`: besides these task lists, footnotes, formulas, emoji names and references.
 * - `line`: a single line such as a label's description: emoji and inline markup, no blocks, no references.
 */
export type Flavour = 'plain' | 'platform' | 'line'

/** Where a text is shown. */
export interface ReadOptions {
  /** The platform's own URL: a full URL below it may be a reference. Absolute, with or without a slash at its end. */
  readonly baseUrl?: string
  /** Absolute URL that relative links and images are resolved against; without it they stay relative. */
  readonly relativeTo?: string
  /** Where images are fetched from; without it from where they are. */
  readonly images?: Images
}

/** A text that was read and not yet shown to anybody. */
export interface MarkdownDocument {
  /** What it refers to: distinct, in order of appearance, at most 1,000 of a kind. Only the platform flavour has any. */
  readonly references: readonly Reference[]
  /**
   * Sanitised HTML. `resolve` is asked once for each reference and sees with the eyes of one reader, so the result must
   * not be shown to another; a reference that it does not know stays the text that was written.
   */
  html(resolve?: Resolve): string
}

/** Turns what people write into HTML that a page may show. */
export interface Markdown {
  /**
   * Reads a text of at most 1,000,000 characters.
   *
   * @throws PlatformError `invalid_input` when it is longer
   */
  read(text: string, flavour: Flavour, options?: ReadOptions): MarkdownDocument
  /** The HTML of a single line; the same for every reader. */
  line(text: string, options?: ReadOptions): string
}

export interface MarkdownSettings {
  /** Milliseconds that one reading may take; what is left after them is shown as it was written. 1,000 by default. */
  readonly timeBudget?: number
  /** Bytes of rendered lines that are kept. 4 MiB by default. */
  readonly lineCacheBytes?: number
}

const longestText = 1_000_000

/** Characters are code points; only texts near the limit are counted. */
const isTooLong = (text: string): boolean => {
  if (text.length <= longestText) return false
  if (text.length > 2 * longestText) return true
  let pairs = 0
  for (let at = 0; at < text.length; at++) if ((text.codePointAt(at) ?? 0) > 0xffff) pairs++
  return text.length - pairs > longestText
}

interface Pipeline {
  readonly list: AllowList
  readonly parse: (parser: MarkdownIt, text: string, environment: Env) => Token[]
}

const whole: Pipeline['parse'] = (parser, text, environment) => parser.parse(text, environment)

const onOneLine = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join(' ')
    .trim()

const pipelines: Readonly<Record<Flavour, Pipeline>> = {
  plain: { list: renderedMarkup, parse: whole },
  platform: { list: renderedMarkup, parse: whole },
  line: {
    list: renderedLineMarkup,
    parse: (parser, text, environment) => parser.parseInline(onOneLine(text), environment),
  },
}

/**
 * The embedded renderer: CommonMark 0.31.2 and GFM 0.29. Its libraries are loaded by the first text.
 */
export const embeddedMarkdown = ({
  timeBudget = 1_000,
  lineCacheBytes = 4 * 1024 * 1024,
}: MarkdownSettings = {}): Markdown => {
  const lines = renderedLines(lineCacheBytes)

  const read: Markdown['read'] = (text, flavour, { baseUrl, relativeTo, images } = {}) => {
    if (isTooLong(text)) {
      throw invalidInput([{ fields: ['text'], message: `is too long (maximum is ${longestText} characters)` }])
    }
    const { list, parse } = pipelines[flavour]
    const parser = parserOf(flavour)
    const environment: Env = {}
    const found = references()
    startBudget(environment, timeBudget)
    collectReferences(environment, { references: found, baseUrl })
    const tokens = parse(parser, text, environment)
    return {
      references: found.all,
      html: (resolve) => {
        resolveReferences(environment, resolve)
        const html = parser.renderer.render(tokens, parser.options, environment)
        return sanitised(html, list, { ...(relativeTo !== undefined && { relativeTo }), ...(images && { images }) })
      },
    }
  }

  const line: Markdown['line'] = (text, options = {}) => {
    const { relativeTo = '', images } = options
    // Neither a URL nor the id has a line break, so each ends with the next one, and what has none is a text alone.
    const isAlone = relativeTo === '' && !images && !text.includes('\n')
    const key = isAlone ? text : `${relativeTo}\n${images?.id ?? ''}\n${text}`
    const known = lines.get(key)
    if (known !== undefined) return known
    const html = read(text, 'line', options).html()
    lines.set(key, html)
    return html
  }

  return { read, line }
}
