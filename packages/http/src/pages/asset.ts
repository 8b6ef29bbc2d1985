import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { Ask } from '../app.ts'
import type { Reply } from '../reply.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export const mediaTypeOf = (name: string): string => mediaTypes[extname(name)] ?? 'application/octet-stream'

/** Found by the package's own name: the built code lies elsewhere than its sources do. */
const folder = () => join(dirname(createRequire(import.meta.url).resolve('@forgelet/http/package.json')), 'assets')

const read = new Map<string, Promise<string>>()

/** The text of one of the package's pages, style sheets, scripts and pictures. */
export const assetText = (name: string): Promise<string> => {
  const known = read.get(name)
  if (known) return known
  const text = readFile(join(folder(), name), 'utf8')
  read.set(name, text)
  text.catch(() => read.delete(name))
  return text
}

/** 304 where the client has these bytes already (RFC 9110, section 13.1.2). */
export const unlessKnown = (ask: Ask, headers: Readonly<Record<string, string>>, whole: () => Reply): Reply =>
  ask.header('if-none-match') === headers.ETag ? { status: 304, headers } : whole()

/** A text as a page or a part of one: kept by the browser, and asked for again each time. */
export const textReply = (
  ask: Ask,
  name: string,
  text: string,
  others: Readonly<Record<string, string>> = {},
): Reply => {
  const headers = {
    'Content-Type': mediaTypeOf(name),
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'no-referrer',
    ETag: `"${hash('sha1', text, 'base64url')}"`,
    ...others,
  }
  return unlessKnown(ask, headers, () => ({ status: 200, bytes: text, headers }))
}
