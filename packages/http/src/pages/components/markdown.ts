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
    return result ? sanitizedHtml(removeHiddenFromTabOrder(result.html)) : html`<pre>${text}</pre>`
  })
}

/** The links of headings to themselves are hidden from screen readers, so the Tab key must not reach them either. */
const removeHiddenFromTabOrder = (rendered: string): string =>
  rendered.replaceAll(' aria-hidden="true"></a>', ' aria-hidden="true" tabindex="-1"></a>')

/** The limit of the operation. Texts beyond it are shown as they were written. */
const maxTexts = 1_000

/** Rendered Markdown. */
export const markdown = (rendered: Html | undefined, whenEmpty: string): Html =>
  rendered === undefined ? html`<p class="empty">${whenEmpty}</p>` : html`<div class="markdown">${rendered}</div>`
