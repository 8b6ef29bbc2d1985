import { type Html, html, sanitizedHtml } from '../html.ts'
import type { PageContext } from '../page-context.ts'

/** Characters of Markdown that a page renders, and of the HTML that it becomes. */
const maxSource = 200_000
const maxRendered = 2_000_000

/** Characters of a text that is not shown as a whole. */
const excerptLength = 500

const isEmpty = (text: string | null): text is null => text === null || text.trim() === ''

/** The indexes of the texts that a page renders: the preferred one, and the others in their order while there is room. */
const selectTexts = (texts: readonly (string | null)[], preferred: number): readonly number[] => {
  const selected: number[] = []
  let length = 0
  for (const index of new Set([preferred, ...texts.keys()])) {
    const text = texts[index] ?? null
    if (isEmpty(text)) continue
    const hasRoom = length + text.length <= maxSource && selected.length < maxTexts
    if (index !== preferred && !hasRoom) continue
    length += text.length
    selected.push(index)
  }
  return selected
}

const excerpt = (text: string, url: string | undefined): Html => {
  const link = url !== undefined && html` <a href="${url}">Show all of it</a>`
  if (text.length <= excerptLength) return html`<pre>${text}</pre>`
  return html`<pre>${text.slice(0, excerptLength).toWellFormed()}…</pre>
<p class="note">The page is too long to show this text as a whole.${link}</p>`
}

interface TextOptions {
  /** Full path of the project that references such as `#1` belong to. */
  readonly project?: string | undefined
  /** The index of the text that is shown as a whole in any case. Default: the first. */
  readonly preferred?: number
  /** The address of the page that prefers a text. */
  readonly urlOf?: (index: number) => string | undefined
}

/**
 * Renders the texts of a page with one call. Texts that are empty or null stay empty; of those for which the page has no room it
 * shows the start.
 */
export const renderTexts = async (
  ctx: PageContext,
  texts: readonly (string | null)[],
  { project, preferred = 0, urlOf }: TextOptions = {},
): Promise<readonly (Html | undefined)[]> => {
  const selected = selectTexts(texts, preferred)
  if (selected.length === 0) return texts.map(() => undefined)
  const input = { texts: selected.map((index) => texts[index] ?? ''), ...(project !== undefined && { project }) }
  const results = await ctx.session.markdown.renderPage(input)
  const rendered = new Map<number, Html>()
  let length = 0
  for (const [position, index] of selected.entries()) {
    const text = results[position]?.html ?? ''
    length += text.length
    if (index === preferred || length <= maxRendered) rendered.set(index, sanitizedHtml(makeAccessible(text)))
  }
  return texts.map((text, index) =>
    isEmpty(text) ? undefined : (rendered.get(index) ?? excerpt(text, urlOf?.(index))),
  )
}

/**
 * Adds what the rendered form of the API does not have: names for the boxes of task lists, and `tabindex` for the links of
 * headings to themselves, which are hidden from screen readers. The texts are escaped, so only elements match.
 */
const makeAccessible = (rendered: string): string =>
  rendered
    .replaceAll(' aria-hidden="true"></a>', ' aria-hidden="true" tabindex="-1"></a>')
    .replace(/<input (?=[^>]*type="checkbox")(?<attributes>[^>]*)>/g, (_, attributes: string) => {
      const name = /\bchecked\b/.test(attributes) ? 'Completed task' : 'Open task'
      return `<input aria-label="${name}" ${attributes}>`
    })

/** The limit of the operation. Texts beyond it are shown as they were written. */
const maxTexts = 1_000

/** Rendered Markdown. */
export const markdown = (rendered: Html | undefined, whenEmpty: string): Html =>
  rendered === undefined ? html`<p class="empty">${whenEmpty}</p>` : html`<div class="markdown">${rendered}</div>`

/** URLs of links and images without a scheme or a host, except fragments and queries. */
const relativeUrls =
  /(?<start><(?<element>a|img)\b[^>]*?\s(?:href|src)=")(?![a-z][a-z\d+.-]*:|\/\/|[#?])(?<slash>\/?)/gi

/** URLs of a directory, without a trailing slash: of pages, and of raw files for images. */
interface Folder {
  readonly page: string
  readonly raw: string
}

/**
 * Makes relative URLs of a rendered file independent of the page that shows it.
 *
 * @param folder the file's directory
 * @param root the directory that URLs with a leading slash begin at; without it, they stay as they are
 */
export const resolveRelativeUrls = (rendered: Html, folder: Folder, root?: Folder): Html =>
  sanitizedHtml(
    rendered.toString().replace(relativeUrls, (match, start: string, element: string, slash: string) => {
      const base = slash === '' ? folder : root
      return base === undefined ? match : `${start}${element.toLowerCase() === 'img' ? base.raw : base.page}/`
    }),
  )
