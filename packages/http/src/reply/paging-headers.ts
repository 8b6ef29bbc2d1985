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

/**
 * The paging headers of a list. `X-Next-Page` and `X-Prev-Page` are empty on the last and first page. `Link` repeats every
 * parameter with its effective value, except credentials. Lists of more than 10,000 rows are not counted: they have no
 * `X-Total`, no `X-Total-Pages` and no link to the last page.
 */
export function createPagingHeaders(
  { page, perPage, total, hasNext, items }: PageInfo,
  url: string,
  { before, after }: PageQuery,
): Record<string, string> {
  const next = hasNext ? String(page + 1) : ''
  // A page after the end of the list has neither a next nor a previous page.
  const previous = page > 1 && items.length > 0 ? String(page - 1) : ''
  const link = (relation: string, number: number | string) => `<${url}?${before}${number}${after}>; rel="${relation}"`
  const links = (previous && `${link('prev', previous)}, `) + (next && `${link('next', next)}, `) + link('first', 1)
  const headers: Record<string, string> = {
    'X-Per-Page': String(perPage),
    'X-Page': String(page),
    'X-Next-Page': next,
    'X-Prev-Page': previous,
    Link: links,
  }
  if (total === undefined) return headers
  const pages = Math.max(1, Math.ceil(total / perPage))
  headers['X-Total'] = String(total)
  headers['X-Total-Pages'] = String(pages)
  headers.Link += `, ${link('last', pages)}`
  return headers
}
