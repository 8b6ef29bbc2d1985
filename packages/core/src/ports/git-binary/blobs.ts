import { Readable } from 'node:stream'
import type { Blob, BlobOptions, BlobStream } from '../git.ts'
import { isTooLargeError, tooLargeError } from './errors.ts'
import { isObjectId } from './object-id.ts'
import { createOutputStream } from './output-stream.ts'
import type { GitRuntime } from './runtime.ts'

/** A blob up to this size is read into memory even for a stream, which is faster than starting a process. */
const bufferedBlobBytes = 1024 ** 2

export const readBlob = async (
  runtime: GitRuntime,
  id: string,
  options: BlobOptions = {},
): Promise<Blob | undefined> => {
  const maximumBytes = options.maximumBytes ?? runtime.limits.blobBytes
  if (!isObjectId(id)) return undefined
  const key = `${runtime.directory}\0${id}`
  // Rejecting a blob stops the lookup process, so the limit is cached.
  if ((runtime.rejectedBlobSizes.get(key) ?? -1) >= maximumBytes) throw tooLargeError('The file')
  if (options.onSize) {
    const info = await runtime.objects.info(id)
    if (info?.type !== 'blob') return undefined
    if (info.size <= maximumBytes) await options.onSize(info.size)
  }
  try {
    const object = await runtime.objects.contents(id, maximumBytes)
    return object?.type === 'blob' ? { id, size: object.size, content: object.content } : undefined
  } catch (error) {
    if (!isTooLargeError(error)) throw error
    runtime.rejectedBlobSizes.set(key, maximumBytes)
    throw tooLargeError('The file')
  }
}

export const streamBlob = async (
  runtime: GitRuntime,
  id: string,
  signal: AbortSignal | undefined,
): Promise<BlobStream | undefined> => {
  const info = isObjectId(id) ? await runtime.objects.info(id) : undefined
  if (info?.type !== 'blob') return undefined
  const { size } = info
  if (size <= bufferedBlobBytes) {
    const object = await runtime.objects.contents(id, bufferedBlobBytes)
    return object && { id, size, content: Readable.from([object.content], { objectMode: false }) }
  }
  const content = await createOutputStream(
    runtime.runner,
    {
      directory: runtime.directory,
      arguments: ['cat-file', 'blob', id],
      timeout: runtime.limits.streamTimeout,
      signal,
    },
    runtime.limits,
  )
  return { id, size, content }
}
