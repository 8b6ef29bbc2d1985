import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import { getErrorCode } from '@forgelet/core/operations'
import { UnsupportedContentTypeError } from '../request/body.ts'
import { BodyTooLargeError } from '../request/body-limits.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'

/** Why a body could not be decompressed. */
const toBodyError = (error: unknown): unknown => {
  const code = getErrorCode(error)
  if (code === 'ERR_BUFFER_TOO_LARGE') return new BodyTooLargeError()
  return code?.startsWith('Z_') ? new UnsupportedContentTypeError('The body is not valid gzip data') : error
}

/** git compresses large lists of references with gzip. */
const isCompressed = (request: IncomingRequest): boolean => {
  const encoding = request.header('content-encoding')?.toLowerCase()
  if (encoding === undefined || encoding === 'identity') return false
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  throw new UnsupportedContentTypeError(`The provided content-encoding '${encoding.slice(0, 100)}' is not supported.`)
}

async function* decompress(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decompressor = createGunzip()
  const feed = async () => {
    for await (const chunk of chunks) {
      if (!decompressor.write(chunk))
        await new Promise<void>((resolve) => decompressor.once('drain', resolve).once('close', resolve))
      if (decompressor.destroyed) return
    }
    decompressor.end()
  }
  feed().catch((error: Error) => decompressor.destroy(error))
  try {
    yield* decompressor
  } catch (error) {
    throw toBodyError(error)
  } finally {
    decompressor.destroy()
  }
}

/** The body of a push as a stream. */
export const openPushBody = (request: IncomingRequest): AsyncIterable<Uint8Array> =>
  isCompressed(request) ? decompress(request.stream()) : request.stream()

/**
 * The body of a fetch, read as a whole when it is consumed.
 *
 * @param maximumSize bytes, before and after decompression. The stream throws `BodyTooLargeError` above it.
 */
export async function* openFetchBody(request: IncomingRequest, maximumSize: number): AsyncGenerator<Uint8Array> {
  const compressed = isCompressed(request)
  const bytes = await request.body({ size: maximumSize })
  try {
    yield compressed ? await promisify(gunzip)(bytes, { maxOutputLength: maximumSize }) : bytes
  } catch (error) {
    throw toBodyError(error)
  }
}
