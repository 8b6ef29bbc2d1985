import type { Reply } from './reply.ts'

type Paged = NonNullable<Reply['page']>

const text = (name: string, value: unknown): string[] => {
  if (Array.isArray(value)) return value.map((item) => `${encodeURIComponent(name)}%5B%5D=${encodeURIComponent(String(item))}`)
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).map(
      ([key, inner]) => `${encodeURIComponent(`${name}[${key}]`)}=${encodeURIComponent(String(inner))}`,
    )
  }
  return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`]
}

/**
 * The paging headers of a list. `X-Next-Page` and `X-Prev-Page` are empty where there is none; `Link` repeats every
 * parameter with its effective value, credentials excepted, since they are no parameters.
 */
export function pagingHeaders(
  { page, perPage, total }: Paged,
  url: string,
  parameters: readonly (readonly [string, unknown])[],
): Record<string, string> {
  const pages = Math.max(1, Math.ceil(total / perPage))
  const beyond = page > pages
  const next = page < pages ? String(page + 1) : ''
  const previous = page > 1 && !beyond ? String(page - 1) : ''
  const others = parameters.filter(([name]) => name !== 'page' && name !== 'per_page')
  const link = (relation: string, number: number | string) => {
    const all = [...others, ['page', number] as const, ['per_page', perPage] as const].sort(([a], [b]) => (a < b ? -1 : 1))
    return `<${url}?${all.flatMap(([name, value]) => text(name, value)).join('&')}>; rel="${relation}"`
  }
  return {
    'X-Total': String(total),
    'X-Total-Pages': String(pages),
    'X-Per-Page': String(perPage),
    'X-Page': String(page),
    'X-Next-Page': next,
    'X-Prev-Page': previous,
    Link: [
      ...(previous ? [link('prev', previous)] : []),
      ...(next ? [link('next', next)] : []),
      link('first', 1),
      link('last', pages),
    ].join(', '),
  }
}
