import { createRequire } from 'node:module'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { buffer as collect } from 'node:stream/consumers'
import type { RandomAccessReader } from 'yauzl'
import { PlatformError } from '../../../kernel/errors.ts'
import { defined } from '../../../shared/defined.ts'
import { toError } from '../../../shared/error-code.ts'

interface ZipRange {
  readonly offset: number
  readonly length: number
}

/** A stored ZIP file that can be read in parts. */
export interface ZipSource {
  /** Bytes. */
  readonly size: number
  read(range: ZipRange): Promise<Readable>
}

/** Bytes that are read at once. The directory consists of many small parts, and each read can be a request to another server. */
const blockBytes = 256 * 1024
/** Blocks in memory: those of the end of the file, where the directory is. */
const maxBlocks = 4

export type Library = typeof import('yauzl')

let library: Library | undefined

/** Loaded on first use, because few processes need it and loading slows down the start. */
export const loadLibrary = (): Library => (library ??= createRequire(import.meta.url)('yauzl') as Library)

/** The error of an archive that is damaged, or exceeds a limit. */
export const unreadable = (message: string) => new PlatformError('unprocessable', message)

/** A source that remembers its errors. */
export interface TrackedSource extends ZipSource {
  readBytes(range: ZipRange): Promise<Buffer>
  /** Errors of the library mean that the archive is damaged; those of the storage stay as they are. */
  toError(error: unknown): unknown
}

export const trackErrors = ({ size, read }: ZipSource): TrackedSource => {
  const failures = new Set<unknown>()
  const track = async <T>(result: Promise<T>): Promise<T> => {
    try {
      return await result
    } catch (error) {
      failures.add(error)
      throw error
    }
  }
  return {
    size,
    read: (range) => track(read(range)),
    readBytes: (range) => track(read(range).then(collect)),
    toError: (error) =>
      failures.has(error) || error instanceof PlatformError
        ? error
        : unreadable(`The archive cannot be read: ${toError(error).message.slice(0, 200)}`),
  }
}

/** Reads blocks of a file, and keeps the last ones. */
const createBlockReader = (source: TrackedSource) => {
  const blocks = new Map<number, Promise<Buffer>>()
  const readBlock = (index: number): Promise<Buffer> => {
    const known = blocks.get(index)
    if (known) return known
    const offset = index * blockBytes
    const length = Math.min(blockBytes, source.size - offset)
    const block = source.readBytes({ offset, length })
    blocks.set(index, block)
    if (blocks.size > maxBlocks) blocks.delete(defined(blocks.keys().next().value))
    return block
  }
  return async (target: Buffer, position: number): Promise<void> => {
    for (let done = 0; done < target.length; ) {
      const at = position + done
      const index = Math.floor(at / blockBytes)
      const block = await readBlock(index)
      const copied = block.copy(target, done, at - index * blockBytes)
      if (copied === 0) throw unreadable('The archive is incomplete')
      done += copied
    }
  }
}

/** The interface of the library to a source. */
export const createReader = ({ RandomAccessReader }: Library, source: TrackedSource): RandomAccessReader => {
  const readBlocks = createBlockReader(source)
  class SourceReader extends RandomAccessReader {
    override _readStreamForRange(start: number, end: number): Readable {
      const content = new PassThrough()
      const connect = async () => {
        const stored = await source.read({ offset: start, length: end - start })
        // Its callback is required; errors arrive at the consumer of the content.
        pipeline(stored, content, () => undefined)
      }
      connect().catch((error: Error) => content.destroy(error))
      return content
    }

    override read(
      target: Buffer,
      offset: number,
      length: number,
      position: number,
      done: (error: Error | null) => void,
    ): void {
      if (position + length > source.size) return void setImmediate(done, unreadable('The archive is incomplete'))
      readBlocks(target.subarray(offset, offset + length), position).then(() => done(null), done)
    }
  }
  return new SourceReader()
}
