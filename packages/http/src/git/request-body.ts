import { createGunzip } from 'node:zlib'
import { UnsupportedContentTypeError } from '../request/body.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'

/** Why a body could not be decompressed. */
const toBodyError = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException)?.code?.startsWith('Z_')
    ? new UnsupportedContentTypeError('The body is not valid gzip data')
    : error

async function* decompress(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const feed = async () => {
    for await (const chunk of chunks) {
      if (!gunzip.write(chunk))
        await new Promise<void>((resolve) => gunzip.once('drain', resolve).once('close', resolve))
      if (gunzip.destroyed) return
    }
    gunzip.end()
  }
  feed().catch((error: Error) => gunzip.destroy(error))
  try {
    yield* gunzip
  } catch (error) {
    throw toBodyError(error)
  } finally {
    gunzip.destroy()
  }
}

/** The body of a request as a stream. git compresses large lists of references with gzip. */
export const openRequestBody = (request: IncomingRequest): AsyncIterable<Uint8Array> => {
  const chunks = request.stream()
  const encoding = request.header('content-encoding')?.toLowerCase()
  if (encoding === undefined || encoding === 'identity') return chunks
  if (encoding === 'gzip' || encoding === 'x-gzip') return decompress(chunks)
  throw new UnsupportedContentTypeError(`The provided content-encoding '${encoding.slice(0, 100)}' is not supported.`)
}
