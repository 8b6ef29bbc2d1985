import { type Html, html, sanitizedHtml } from '../html.ts'
import type { PageContext } from '../page-context.ts'

/**
 * Renders the texts of a page with one call. Texts that are empty or null stay empty.
 *
 * @param project full path of the project that references such as `#1` belong to
 */
export const renderTexts = async (
  ctx: PageContext,
  texts: readonly (string | null)[],
  project?: string,
): Promise<readonly (Html | undefined)[]> => {
  const present = texts.filter((text): text is string => text !== null && text.trim() !== '').slice(0, maxTexts)
  if (present.length === 0) return texts.map(() => undefined)
  const rendered = await ctx.session.markdown.renderAll({ texts: present, ...(project !== undefined && { project }) })
  let next = 0
  return texts.map((text) => {
    if (text === null || text.trim() === '') return undefined
    const result = rendered[next++]
    return result ? sanitizedHtml(makeAccessible(result.html)) : html`<pre>${text}</pre>`
  })
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

/** URLs of links and images without a scheme, a host or a leading slash, except fragments and queries. */
const relativeUrls = /(?<start><(?<element>a|img)\b[^>]*?\s(?:href|src)=")(?![a-z][a-z\d+.-]*:|[/#?])/gi

/**
 * Makes relative URLs of a rendered file independent of the page that shows it.
 *
 * @param folders URLs of the file's directory, without a trailing slash: of pages, and of raw files for images
 */
export const resolveRelativeUrls = (rendered: Html, folders: { readonly page: string; readonly raw: string }): Html =>
  sanitizedHtml(
    rendered.toString().replace(relativeUrls, (_, start: string, element: string) => {
      const folder = element.toLowerCase() === 'img' ? folders.raw : folders.page
      return `${start}${folder}/`
    }),
  )
