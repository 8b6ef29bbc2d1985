import type { Page } from '@forgelet/core'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'

/**
 * Links to the previous and the next page of a list; nothing for a list with one page.
 *
 * @param name the parameter with the page number
 */
export const pagination = (
  ctx: PageContext,
  { page, perPage, total, hasNext }: Page<unknown>,
  name = 'page',
): Html | false => {
  if (page === 1 && !hasNext) return false
  const link = (number: number, text: string, rel: string) => {
    const query = new URLSearchParams(ctx.query)
    query.set(name, String(number))
    return html`<a rel="${rel}" href="${ctx.base}${ctx.path}?${query.toString()}">${text}</a>`
  }
  const count = total === undefined ? '' : ` of ${Math.max(1, Math.ceil(total / perPage))}`
  return html`<nav class="pagination" aria-label="Pages${name === 'page' ? '' : ` (${name.replace('_page', '')})`}">
${page > 1 && link(page - 1, '← Previous', 'prev')}
<span>Page ${page}${count}</span>
${hasNext && link(page + 1, 'Next →', 'next')}
</nav>`
}

/** What a list shows without items. */
export const emptyList = (text: string): Html => html`<p class="empty">${text}</p>`
