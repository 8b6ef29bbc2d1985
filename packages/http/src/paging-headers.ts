import type { Reply } from './reply.ts'

type Paged = NonNullable<Reply['page']>

/** What stands around the number of the page in a query that repeats every parameter, in order of name. */
export interface PageQuery {
  readonly before: string
  readonly after: string
}

/** A parameter of a list: its name, the input it becomes, and its value when it is not given. */
interface Parameter {
  readonly wire: string
  readonly input: string
  readonly fallback: unknown
}

const written = (value: unknown): string => (typeof value === 'string' ? encodeURIComponent(value) : String(value))

/** Names are given as they stand in a query, here and below. */
const pair = (name: string, value: unknown): string =>
  // Only what no schema has looked at can be nested deeper, such as a key that names a prototype: it was left out before.
  value !== null && typeof value === 'object' ? '' : `&${name}=${written(value)}`

const text = (name: string, value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map((item) => pair(`${name}%5B%5D`, item)).join('')
  if (typeof value !== 'object') return pair(name, value)
  return Object.entries(value)
    .map(([key, inner]) => pair(`${name}%5B${encodeURIComponent(key)}%5D`, inner))
    .join('')
}

/** Writes the queries of a route's links. What does not change from one request to the next is written once. */
export function pageQueries(
  parameters: readonly Parameter[],
): (input: Readonly<Record<string, unknown>>, perPage: number) => PageQuery {
  const parts = parameters
    .filter(({ wire }) => wire !== 'page')
    .map(({ wire, input, fallback }) => {
      const name = encodeURIComponent(wire)
      return { wire, name, input, usual: text(name, fallback) }
    })
    .sort((one, other) => (one.wire < other.wire ? -1 : 1))
  const first = parts.filter(({ wire }) => wire < 'page')
  const second = parts.filter(({ wire }) => wire > 'page')
  return (input, perPage) => {
    const write = (list: typeof parts) => {
      let query = ''
      for (const { wire, name, input: field, usual } of list) {
        const value = input[field]
        if (wire === 'per_page') query += `&per_page=${perPage}`
        else query += value === undefined || value === null ? usual : text(name, value)
      }
      return query
    }
    return { before: `${write(first)}&page=`.slice(1), after: write(second) }
  }
}

/**
 * The paging headers of a list. `X-Next-Page` and `X-Prev-Page` are empty where there is none; `Link` repeats every
 * parameter with its effective value, credentials excepted, since they are no parameters. Above 10,000 rows nobody has
 * counted, so `X-Total`, `X-Total-Pages` and the link to the last page are left out.
 */
export function pagingHeaders(
  { page, perPage, total, hasNext, items }: Paged,
  url: string,
  { before, after }: PageQuery,
): Record<string, string> {
  const next = hasNext ? String(page + 1) : ''
  // Behind the end of a list there is neither a next nor a previous page.
  const previous = page > 1 && items.length > 0 ? String(page - 1) : ''
  const link = (relation: string, number: number | string) => `<${url}?${before}${number}${after}>; rel="${relation}"`
  const around = (previous && `${link('prev', previous)}, `) + (next && `${link('next', next)}, `) + link('first', 1)
  const headers: Record<string, string> = {
    'X-Per-Page': String(perPage),
    'X-Page': String(page),
    'X-Next-Page': next,
    'X-Prev-Page': previous,
    Link: around,
  }
  if (total === undefined) return headers
  const pages = Math.max(1, Math.ceil(total / perPage))
  headers['X-Total'] = String(total)
  headers['X-Total-Pages'] = String(pages)
  headers.Link += `, ${link('last', pages)}`
  return headers
}
