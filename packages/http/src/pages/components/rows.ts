import type { Page } from '@forgelet/core'
import { type Html, type HtmlValue, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { emptyList, pagination } from './pagination.ts'

interface RowOptions<T> {
  /** The text of a list without items. */
  readonly empty: string
  /** The content of an item. */
  readonly row: (item: T) => Html
  /** The parameter of the query with the page number. Default: `page`. */
  readonly parameter?: string
}

/** A page of a list, one row for each item, with links to the other pages. */
export const rows = <T>(ctx: PageContext, page: Page<T>, { empty, row, parameter }: RowOptions<T>): Html =>
  html`${
    page.items.length === 0
      ? emptyList(empty)
      : html`<ul class="rows">${page.items.map((item) => html`<li>${row(item)}</li>`)}</ul>`
  }${pagination(ctx, page, parameter)}`

/** Names and values; entries without a value are left out. */
export const details = (entries: Readonly<Record<string, HtmlValue>>): Html | false => {
  const shown = Object.entries(entries).filter(
    ([, value]) => value !== undefined && value !== null && value !== false && value !== '',
  )
  return (
    shown.length > 0 &&
    html`<dl class="details">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
  )
}

/** A section with a heading, which links can lead to. */
export const section = (id: string, title: HtmlValue, content: HtmlValue): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}</section>`

/** A number with its noun: `1 star`, `2 stars`. */
export const count = (number: number, singular: string, plural = `${singular}s`): string =>
  `${number} ${number === 1 ? singular : plural}`

/** The number of items of a list, if it is known: ` (3)`. */
export const total = (page: Page<unknown>): Html | false =>
  page.total !== undefined && page.total > 0 && html` <span class="muted">(${page.total})</span>`
