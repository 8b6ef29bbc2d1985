import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { createStaticContent, replyWithContent, type StaticContent } from './content-encoding.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export const getMediaType = (name: string): string => mediaTypes[extname(name)] ?? 'application/octet-stream'

export const acceptsHtml = ({ header }: IncomingRequest): boolean => /\btext\/html\b/i.test(header('accept') ?? '')

/** Resolved by package name, because built files and sources are in different folders. */
const findAssetFolder = () =>
  join(dirname(createRequire(import.meta.url).resolve('@forgelet/http/package.json')), 'assets')

const assetCache = new Map<string, Promise<string>>()

/** Reads a page, style sheet, script or image of the package as text. */
export const readAsset = (name: string): Promise<string> => {
  const cached = assetCache.get(name)
  if (cached) return cached
  const text = readFile(join(findAssetFolder(), name), 'utf8')
  assetCache.set(name, text)
  text.catch(() => assetCache.delete(name))
  return text
}

/** By text. Their number is limited by the files of the package. */
const contents = new Map<string, StaticContent>()

/** A page or an asset. Browsers cache it and revalidate it on each use. */
export const createTextReply = (
  request: IncomingRequest,
  name: string,
  text: string,
  extraHeaders: Readonly<Record<string, string>> = {},
): Promise<Reply> => {
  const content = contents.get(text) ?? createStaticContent(text)
  contents.set(text, content)
  return replyWithContent(request, content, {
    'Content-Type': getMediaType(name),
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'no-referrer',
    ...extraHeaders,
  })
}
