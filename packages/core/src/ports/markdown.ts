import { invalidInput } from '../kernel/errors.ts'
import type { MaybePromise } from '../kernel/store.ts'
import { createRenderBudget, type RenderBudget, RenderLimitError } from './markdown/budget.ts'
import type { Flavour, MarkdownDocument, ReadOptions } from './markdown/document.ts'
import { readDocument, sourceHtml } from './markdown/document.ts'
import { createLineCache } from './markdown/line-cache.ts'
import type { Reference, Resolve } from './markdown/reference.ts'
import { createRenderWorkers, type RemoteDocument } from './markdown/render-workers.ts'

export interface RenderOptions extends ReadOptions {
  /**
   * Looks up the distinct references of the text, at most 1,000 of a kind; not called for a text without references. Returns what
   * one user may see, so the result must not be cached for other users.
   */
  readonly resolve?: (references: readonly Reference[]) => MaybePromise<Resolve>
}

export interface LineOptions extends ReadOptions {
  /** The budget that all lines of a call share. Default: a budget for this line. */
  readonly budget?: RenderBudget
}

/** Renders Markdown as sanitized HTML. */
export interface Markdown {
  /**
   * Renders a text of at most 1,000,000 characters. A text above the time or the size limit is shown as it was written. Must not
   * be awaited in a transaction: long texts are rendered by another thread.
   *
   * @throws PlatformError `invalid_input` when it is longer; `limited` when too many texts are rendered at once
   */
  render(text: string, flavour: Exclude<Flavour, 'line'>, options?: RenderOptions): Promise<string>
  /** The HTML of a single line; the same for all users. Cached. A line above the limits is shown as it was written. */
  line(text: string, options?: LineOptions): string
  /** Stops the threads of the default implementation. */
  close?(): Promise<void>
}

export interface MarkdownSettings {
  /** Milliseconds for one text in a worker thread. Default 1,000. */
  readonly timeBudget?: number
  /** Milliseconds for one text, or for the lines of one call, in the event loop. Default 200. */
  readonly eventLoopBudget?: number
  /** Texts with more UTF-16 code units are rendered by a worker thread. Default 8,192. */
  readonly workerThreshold?: number
  /** Worker threads; 0 renders every text in the event loop. Default 2. */
  readonly workers?: number
  /** Size of the cache of rendered lines in bytes. Default 4 MiB. */
  readonly lineCacheBytes?: number
}

const maxTextLength = 1_000_000

/** Characters of HTML: what `maxTextLength` quotation marks become when they are escaped. */
const maxOutput = 6 * maxTextLength

/** Characters of HTML of a line. Longer lines are shown as they were written. */
const maxLineOutput = 100_000

/** Longer lines are shown as they were written. UTF-16 code units. */
const maxLineLength = 8_192

const defaultEventLoopBudget = 200

/** A budget for the lines of one call. */
export const createLineBudget = (milliseconds = defaultEventLoopBudget): RenderBudget =>
  createRenderBudget(milliseconds, maxLineOutput)

/** The limit counts code points, which are only counted for texts near the limit. */
const isTooLong = (text: string): boolean => {
  if (text.length <= maxTextLength) return false
  if (text.length > 2 * maxTextLength) return true
  let pairs = 0
  for (let at = 0; at < text.length; at++) if ((text.codePointAt(at) ?? 0) > 0xffff) pairs++
  return text.length - pairs > maxTextLength
}

const assertLength = (text: string) => {
  if (!isTooLong(text)) return
  throw invalidInput([{ fields: ['text'], message: `is too long (maximum is ${maxTextLength} characters)` }])
}

const renderDocument = async (
  document: MarkdownDocument | RemoteDocument,
  resolve: RenderOptions['resolve'],
): Promise<string> => {
  const { references } = document
  return document.html(resolve && references.length > 0 ? await resolve(references) : undefined)
}

/**
 * The default renderer: CommonMark 0.31.2 and GFM 0.29. The first text loads its libraries, the first long text starts a thread.
 */
export const embeddedMarkdown = ({
  timeBudget = 1_000,
  eventLoopBudget = defaultEventLoopBudget,
  workerThreshold = 8_192,
  workers = 2,
  lineCacheBytes = 4 * 1024 * 1024,
}: MarkdownSettings = {}): Markdown => {
  const lines = createLineCache(lineCacheBytes)
  const threads = createRenderWorkers({ workers, milliseconds: timeBudget, maxOutput })

  const render: Markdown['render'] = async (text, flavour, options = {}) => {
    assertLength(text)
    const { resolve, ...readOptions } = options
    try {
      if (text.length > workerThreshold && (await threads.areAvailable())) {
        return await threads.read(text, flavour, readOptions, (document) => renderDocument(document, resolve))
      }
      const budget = createRenderBudget(eventLoopBudget, maxOutput)
      return await renderDocument(readDocument(text, flavour, readOptions, budget), resolve)
    } catch (error) {
      if (error instanceof RenderLimitError) return sourceHtml(text, flavour)
      throw error
    }
  }

  const renderLine = (text: string, options: ReadOptions, budget: RenderBudget): string | undefined => {
    if (text.length > maxLineLength) return undefined
    try {
      return readDocument(text, 'line', options, budget).html()
    } catch (error) {
      if (error instanceof RenderLimitError) return undefined
      throw error
    }
  }

  const line: Markdown['line'] = (text, { budget = createLineBudget(eventLoopBudget), ...options } = {}) => {
    const { relativeTo = '', imageProxy } = options
    // URLs and ids have no line breaks, so the parts of the key are unambiguous.
    const isContextFree = relativeTo === '' && !imageProxy && !text.includes('\n')
    const key = isContextFree ? text : `${relativeTo}\n${imageProxy?.id ?? ''}\n${text}`
    const cached = lines.get(key)
    if (cached !== undefined) return cached
    const html = renderLine(text, options, budget)
    if (html === undefined) return sourceHtml(text, 'line')
    lines.set(key, html)
    return html
  }

  return { render, line, close: threads.close }
}
