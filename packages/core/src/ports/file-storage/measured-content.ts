import { createHash } from 'node:crypto'
import { PlatformError } from '../../kernel/errors.ts'
import type { FileContent, WriteOptions, WrittenFile } from '../file-storage.ts'

const fileTooLargeError = (maximumBytes: number): PlatformError =>
  new PlatformError('unprocessable', `The file is larger than ${maximumBytes} bytes`, { reason: 'too_large' })

/** Content that is counted, hashed and limited while it is read. */
export interface MeasuredContent extends AsyncIterable<Uint8Array> {
  /** Valid after the end of the content. */
  result(): WrittenFile
  /** Throws the error that ended the content early. */
  throwIfFailed(): void
}

/** Throws the error of the limit or of the signal while it is read, so that no adapter publishes incomplete content. */
export const measureContent = (content: FileContent, { maximumBytes, signal }: WriteOptions): MeasuredContent => {
  const hash = createHash('sha256')
  let size = 0
  let failure: { readonly error: unknown } | undefined
  async function* read() {
    try {
      for await (const chunk of content) {
        signal?.throwIfAborted()
        size += chunk.byteLength
        if (size > maximumBytes) throw fileTooLargeError(maximumBytes)
        hash.update(chunk)
        yield chunk
      }
      signal?.throwIfAborted()
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  return {
    [Symbol.asyncIterator]: read,
    result: () => ({ size, sha256: hash.digest('hex') }),
    throwIfFailed() {
      if (failure) throw failure.error
    },
  }
}
