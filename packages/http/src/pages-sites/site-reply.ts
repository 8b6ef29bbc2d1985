import type { PagesReply } from '@forgelet/core/operations'
import { getMimeType } from 'hono/utils/mime'
import type { Reply } from '../reply/reply.ts'
import { toTextReply } from './text-reply.ts'

/** Seconds for which browsers keep a file of a public site, as in GitLab. */
const maxAge = 600

/**
 * On the host of the forge, whose cookies a script could use, a site is a preview: documents get an origin of their own without scripts and
 * forms, and load nothing from elsewhere.
 */
const previewPolicy =
  "sandbox; default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; media-src 'self'"

const scriptPattern = /javascript|ecmascript|wasm/

/** The type of a file by its name, with the character set that GitLab assumes for texts. */
const findType = (fileName: string, isPreview: boolean): string => {
  const type = getMimeType(fileName) ?? 'application/octet-stream'
  // A page of the forge may load scripts from its own host: none of a site must be there.
  if (isPreview && scriptPattern.test(type)) return 'text/plain; charset=utf-8'
  return /^text\//.test(type) && !type.includes('charset') ? `${type}; charset=utf-8` : type
}

/** @param prefix the path of all sites on the host of the forge, for a request there; undefined at other hosts */
export const toSiteReply = (reply: PagesReply, prefix: string | undefined): Reply => {
  const isPreview = prefix !== undefined
  const cache = { 'Cache-Control': reply.isPublic ? `max-age=${maxAge}` : 'private, no-cache' }
  const policy = isPreview ? { 'Content-Security-Policy': previewPolicy } : undefined
  if (reply.kind === 'redirect') {
    const isPath = reply.location.startsWith('/') && !reply.location.startsWith('//')
    const location = isPreview && isPath ? `${prefix}${reply.location}` : reply.location
    return toTextReply(reply.status, 'Moved', { Location: location, ...cache, ...policy })
  }
  const { status, fileName, size, sha256, content: bytes } = reply
  return {
    status,
    bytes,
    hasRanges: true,
    headers: {
      'Content-Type': findType(fileName, isPreview),
      'Content-Length': String(size),
      ETag: `"${sha256.slice(0, 32)}"`,
      ...cache,
      ...policy,
    },
  }
}
