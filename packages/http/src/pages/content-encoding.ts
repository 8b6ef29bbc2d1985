import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'

type Encoding = 'br' | 'gzip' | 'identity'

/** Compressed bytes below this size are hardly smaller: a response has 1,400 bytes in its first packet. */
const minCompressedSize = 1_400

/** Of 11. A higher quality takes several times longer for a few percent. */
const brotliQuality = 6

/** Compresses in a thread of the pool. */
const compressors: Readonly<Record<Exclude<Encoding, 'identity'>, (bytes: Buffer) => Promise<Buffer>>> = {
  async br(bytes) {
    const { brotliCompress, constants } = await import('node:zlib')
    const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    return promisify(brotliCompress)(bytes, { params })
  },
  async gzip(bytes) {
    const { gzip } = await import('node:zlib')
    return promisify(gzip)(bytes)
  },
}

/** Content of a response that does not change, with its encodings. */
export interface StaticContent {
  /** The hash of the content. */
  readonly tag: string
  readonly size: number
  /** The content in this encoding, compressed once. */
  encode(encoding: Encoding): Promise<Buffer>
}

export const createStaticContent = (content: string | Buffer): StaticContent => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const encoded = new Map<Encoding, Promise<Buffer>>()
  return {
    tag: hash('sha1', bytes, 'base64url'),
    size: bytes.length,
    encode(encoding) {
      if (encoding === 'identity') return Promise.resolve(bytes)
      const known = encoded.get(encoding) ?? compressors[encoding](bytes)
      encoded.set(encoding, known)
      known.catch(() => encoded.delete(encoding))
      return known
    },
  }
}

/** The encoding with the highest weight in `Accept-Encoding` (RFC 9110, section 12.5.3), of equal ones the smallest. */
export const selectEncoding = (accepted: string | undefined): Encoding => {
  const weights = new Map(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((entry) => {
        const [name = '', weight = ''] = entry.split(';', 2)
        return [name.trim(), Number(/^\s*q=([\d.]+)\s*$/.exec(weight)?.[1] ?? 1)] as const
      }),
  )
  const weigh = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const [best] = (['br', 'gzip'] as const).filter((one) => weigh(one) > 0).sort((a, b) => weigh(b) - weigh(a))
  return best !== undefined && weigh(best) >= (weights.get('identity') ?? 0) ? best : 'identity'
}

/** Whether the client has the content already (RFC 9110, section 13.1.2). */
const isCached = ({ header }: IncomingRequest, etag: string): boolean => {
  const known = header('if-none-match')
    ?.split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
  return known?.some((one) => one === etag || one === '*') ?? false
}

/**
 * Replies with the content in the smallest encoding that the client accepts, or with 304. Each encoding has a strong `ETag`.
 *
 * @param headers `Vary` is extended by `Accept-Encoding`
 */
export const replyWithContent = async (
  request: IncomingRequest,
  content: StaticContent,
  headers: Readonly<Record<string, string>>,
): Promise<Reply> => {
  const encoding = content.size < minCompressedSize ? 'identity' : selectEncoding(request.header('accept-encoding'))
  const etag = `"${content.tag}${encoding === 'identity' ? '' : `-${encoding}`}"`
  const allHeaders = {
    ...headers,
    ...(content.size >= minCompressedSize && { Vary: [headers.Vary, 'Accept-Encoding'].filter(Boolean).join(', ') }),
    ETag: etag,
  }
  if (isCached(request, etag)) return { status: 304, headers: allHeaders }
  return {
    status: 200,
    bytes: await content.encode(encoding),
    headers: { ...allHeaders, ...(encoding !== 'identity' && { 'Content-Encoding': encoding }) },
  }
}
