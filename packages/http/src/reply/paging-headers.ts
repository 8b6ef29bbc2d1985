import { tokenParameters } from '../request/credentials.ts'
import type { Reply } from './reply.ts'

type PageInfo = NonNullable<Reply['page']>

/** A query with all parameters in alphabetical order, split around the page number. */
export interface PageQuery {
  readonly before: string
  readonly after: string
}

/** A parameter of a list. */
interface Parameter {
  readonly wire: string
  readonly input: string
  /** The default value. */
  readonly fallback: unknown
}

const encodeValue = (value: unknown): string => (typeof value === 'string' ? encodeURIComponent(value) : String(value))

/** @param name percent-encoded, also in `formatParameter` */
const formatPair = (name: string, value: unknown): string =>
  // Schemas accept no deeper nesting; only unknown keys such as `__proto__` lead here.
  value !== null && typeof value === 'object' ? '' : `&${name}=${encodeValue(value)}`

const formatParameter = (name: string, value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map((item) => formatPair(`${name}%5B%5D`, item)).join('')
  if (typeof value !== 'object') return formatPair(name, value)
  return Object.entries(value)
    .map(([key, inner]) => formatPair(`${name}%5B${encodeURIComponent(key)}%5D`, inner))
    .join('')
}

/** Creates the function that formats the query of a route's links. Names and default values are formatted once. */
export function createPageQueryWriter(
  parameters: readonly Parameter[],
): (input: Readonly<Record<string, unknown>>, perPage: number) => PageQuery {
  const parts = parameters
    .filter(({ wire }) => wire !== 'page')
    .map(({ wire, input, fallback }) => {
      const name = encodeURIComponent(wire)
      return { wire, name, input, formattedDefault: formatParameter(name, fallback) }
    })
    .sort((a, b) => (a.wire < b.wire ? -1 : 1))
  const partsBefore = parts.filter(({ wire }) => wire < 'page')
  const partsAfter = parts.filter(({ wire }) => wire > 'page')
  return (input, perPage) => {
    const format = (list: typeof parts) => {
      let query = ''
      for (const { wire, name, input: field, formattedDefault } of list) {
        const value = input[field]
        if (wire === 'per_page') query += `&per_page=${perPage}`
        else query += value === undefined || value === null ? formattedDefault : formatParameter(name, value)
      }
      return query
    }
    return { before: `${format(partsBefore)}&page=`.slice(1), after: format(partsAfter) }
  }
}

/** Bytes of `Link`. Node's HTTP client accepts 16 KiB for all headers of a response. */
const maxLinkSize = 8 * 1024

type FormatLink = (relation: string, number: number | string) => string

const createLinkFormatter =
  (url: string, { before, after }: PageQuery): FormatLink =>
  (relation, number) =>
    `<${url}?${before}${number}${after}>; rel="${relation}"`

/** Omits links that do not fit, except the one to the next page, which clients follow. */
const joinLinks = (link: FormatLink, relations: readonly (readonly [string, number | string])[]): string => {
  const links = relations.filter(([, number]) => number !== '').map(([relation, number]) => link(relation, number))
  const joined = links.join(', ')
  if (joined.length <= maxLinkSize) return joined
  const next = links.find((text) => text.endsWith('rel="next"'))
  let size = next?.length ?? 0
  const fits = (text: string) => {
    size += text.length + 2
    return size <= maxLinkSize
  }
  return links.filter((text) => text === next || fits(text)).join(', ')
}

/** Parameters that `createPageQueryWriter` omits or replaces. */
const omittedParameters: ReadonlySet<string> = new Set([...tokenParameters, 'sudo', 'page', 'cursor', 'page_token'])

const readName = (pair: string) => {
  const [name = ''] = pair.split('=', 1)
  return decodeURIComponent(name.replaceAll('+', ' '))
}

/**
 * The query as sent, for links that would be too long with the effective value of every parameter: a list such as
 * `ids=1,2,3` becomes several times longer there.
 *
 * @param query valid percent-encoding
 * @param replaced new values of parameters
 */
export const createSentPageQuery = (
  query: string,
  replaced: Readonly<Record<string, string | undefined>>,
): PageQuery => {
  const pairs = query.split('&').filter((pair) => pair !== '' && !omittedParameters.has(readName(pair)))
  for (const [name, value] of Object.entries(replaced)) {
    if (value !== undefined) pairs.push(`${name}=${encodeURIComponent(value)}`)
  }
  // Characters that end a link or that a header cannot contain.
  const before = [...pairs, 'page='].join('&').replace(/[^\x21-\x7e]|[<>"]/g, encodeURIComponent)
  return { before, after: '' }
}

/** Characters of a query with which a link fits in `Link`. */
export const maxPageQueryLength: number = maxLinkSize / 2

/**
 * The paging headers of a list. `X-Next-Page` and `X-Prev-Page` are empty on the last and first page. `Link` repeats every
 * parameter with its effective value, except credentials. Lists of more than 10,000 rows are not counted: they have no
 * `X-Total`, no `X-Total-Pages` and no link to the last page.
 */
export function createPagingHeaders(
  { page, perPage, total, hasNext, items }: PageInfo,
  url: string,
  query: PageQuery,
): Record<string, string> {
  const link = createLinkFormatter(url, query)
  const next = hasNext ? String(page + 1) : ''
  // A page after the end of the list has neither a next nor a previous page.
  const previous = page > 1 && items.length > 0 ? String(page - 1) : ''
  const headers: Record<string, string> = {
    'X-Per-Page': String(perPage),
    'X-Page': String(page),
    'X-Next-Page': next,
    'X-Prev-Page': previous,
  }
  const relations: [relation: string, number: number | string][] = [
    ['prev', previous],
    ['next', next],
    ['first', 1],
  ]
  if (total !== undefined) {
    const pages = Math.max(1, Math.ceil(total / perPage))
    headers['X-Total'] = String(total)
    headers['X-Total-Pages'] = String(pages)
    relations.push(['last', pages])
  }
  headers.Link = joinLinks(link, relations)
  return headers
}

/** The headers of a page with keyset pagination: a link to the next page, if there is one. */
export const createKeysetHeaders = (
  { perPage, nextCursor }: PageInfo,
  url: string,
  query: PageQuery,
): Record<string, string> => ({
  'X-Per-Page': String(perPage),
  ...(nextCursor !== undefined && { Link: createLinkFormatter(url, query)('next', 1) }),
})
