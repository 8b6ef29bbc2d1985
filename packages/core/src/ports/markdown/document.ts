import type { Env, MarkdownIt, Token } from 'markdown-it'
import type { AllowList } from './allow-list.ts'
import { renderedLineMarkup, renderedMarkup } from './allow-list.ts'
import type { RenderBudget } from './budget.ts'
import { setDiagramServer } from './code-blocks.ts'
import { escapeHtml } from './escape-html.ts'
import type { ImageProxy } from './image-proxy.ts'
import { createImageRewriter } from './image-proxy.ts'
import { loadHtmlTokenizer } from './libraries.ts'
import { setLimits } from './limits.ts'
import { prepareParser } from './parsers.ts'
import type { Reference, Resolve } from './reference.ts'
import { createReferenceCollector } from './reference.ts'
import { collectReferences, resolveReferences } from './reference-rule.ts'
import { sanitize } from './sanitizer.ts'

/**
 * - `plain`: CommonMark with tables, strikethrough and autolinks; no references, no emoji.
 * - `platform`: additionally task lists, footnotes, formulas, emoji names, references, tables of contents, front matter, quotes between
 *   `>>>`, inline diffs and chips for colors.
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
  readonly imageProxy?: ImageProxy
  /** Base URL of the PlantUML server that draws diagrams; without it they stay code. */
  readonly diagramServer?: string
}

/** A parsed text. */
export interface MarkdownDocument {
  /** Distinct references in order of appearance, at most 1,000 of a kind. Only the platform flavour has any. */
  readonly references: readonly Reference[]
  /**
   * Sanitized HTML. `resolve` is called once for each reference. It returns what one user may see, so the result must
   * not be cached for other users. References without a result stay as written.
   *
   * @throws RenderLimitError when the budget is exceeded
   */
  html(resolve?: Resolve): string
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

/** Like `render` of markdown-it, but checks the budget after every token: one token can repeat a long URL. */
const renderTokens = (parser: MarkdownIt, tokens: Token[], environment: Env, budget: RenderBudget | undefined) => {
  const { renderer, options } = parser
  let html = ''
  for (const [index, token] of tokens.entries()) {
    const rule = renderer.rules[token.type]
    if (token.type === 'inline') html += renderTokens(parser, token.children ?? [], environment, budget)
    else
      html += rule ? rule(tokens, index, options, environment, renderer) : renderer.renderToken(tokens, index, options)
    budget?.check(html.length)
  }
  return html
}

/**
 * Parses a text, without limits if `budget` is undefined.
 *
 * @throws RenderLimitError when the budget is exceeded
 */
export const readDocument = (
  text: string,
  flavour: Flavour,
  { baseUrl, relativeTo, imageProxy, diagramServer }: ReadOptions = {},
  budget?: RenderBudget,
): MarkdownDocument => {
  const { list, parse } = pipelines[flavour]
  const parser = prepareParser(text, flavour)
  loadHtmlTokenizer()
  const run = <T>(work: () => T): T => (budget ? budget.run(work) : work())
  const environment: Env = {}
  const collector = createReferenceCollector()
  setLimits(environment, { budget })
  setDiagramServer(environment, diagramServer)
  collectReferences(environment, { references: collector, baseUrl })
  const tokens = run(() => parse(parser, text, environment))
  const place = {
    ...(relativeTo !== undefined && { relativeTo }),
    ...(imageProxy && { rewriteImage: createImageRewriter(imageProxy) }),
  }
  return {
    references: collector.all,
    html: (resolve) =>
      run(() => {
        resolveReferences(environment, resolve)
        return sanitize(renderTokens(parser, tokens, environment, budget), list, place, budget)
      }),
  }
}

/** The text as it was written: the result for a text that exceeds its budget. */
export const sourceHtml = (text: string, flavour: Flavour): string =>
  flavour === 'line' ? escapeHtml(text) : `<pre>${escapeHtml(text)}</pre>\n`
