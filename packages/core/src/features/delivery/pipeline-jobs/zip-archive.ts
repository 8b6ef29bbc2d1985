import { PassThrough, pipeline, type Readable } from 'node:stream'
import type { Entry, ZipFile } from 'yauzl'
import { PlatformError } from '../../../kernel/errors.ts'
import { isStorableText } from '../../../shared/text.ts'
import { createTimeSlice } from '../../../shared/time-slice.ts'
import {
  createReader,
  type Library,
  loadLibrary,
  type TrackedSource,
  trackErrors,
  unreadable,
  type ZipSource,
} from './zip-source.ts'

/** A file or directory in an archive. */
export interface ZipEntry {
  /** Relative path, without `..`; ends with `/` for a directory. */
  readonly path: string
  /** Bytes of the uncompressed content. */
  readonly size: number
  /** The permissions and kind of the file; 0 if unknown. */
  readonly unixMode: number
  /**
   * The uncompressed content. The stream fails if its size is not the announced one. It must be consumed or destroyed.
   *
   * @throws PlatformError `unprocessable` for a content that is encrypted, compressed with another method than deflate, or too large
   */
  open(): Promise<Readable>
}

/** Entries and bytes of the directory of one archive, so that a request cannot occupy the process for long. */
export const maxEntries = 100_000
const maxDirectoryBytes = 32 * 1024 ** 2

/** Longer and deeper paths are left out. */
const maxPathLength = 4_096
const maxPathDepth = 100

/** Bytes of one uncompressed file: deflate expands up to a thousandfold. */
const maxFileBytes = 1024 ** 3

/** An open archive. */
interface OpenArchive {
  readonly zip: ZipFile
  readonly source: TrackedSource
}

const openEntry = async ({ zip, source }: OpenArchive, entry: Entry): Promise<Readable> => {
  if (entry.uncompressedSize > maxFileBytes)
    throw new PlatformError('unprocessable', 'The file is too large to be extracted', { reason: 'too_large' })
  try {
    const stored = await zip.openReadStreamPromise(entry)
    const content = new PassThrough()
    pipeline(stored, content, () => undefined)
    return content
  } catch (error) {
    throw source.toError(error)
  }
}

/** The path of an entry; undefined for one outside of the archive, which is treated as missing. */
const readSafePath = (
  { getFileNameLowLevel, validateFileName }: Library,
  { generalPurposeBitFlag, fileNameRaw, extraFields }: Entry,
): string | undefined => {
  const path = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false).replace(/^(?:\.\/)+/, '')
  const isSafe = validateFileName(path) === null && path !== '' && isStorableText(path)
  return isSafe && path.length <= maxPathLength && path.split('/').length <= maxPathDepth ? path : undefined
}

/**
 * The entries of an archive in their order. Absolute paths and those with `..` are left out.
 *
 * @throws PlatformError `unprocessable` for a file that is no ZIP archive, or has too many entries
 */
export async function* readZipEntries(stored: ZipSource): AsyncGenerator<ZipEntry> {
  const loaded = loadLibrary()
  const source = trackErrors(stored)
  const endOfSlice = createTimeSlice()
  try {
    const options = { autoClose: false, decodeStrings: false }
    const zip = await loaded.fromRandomAccessReaderPromise(createReader(loaded, source), source.size, options)
    let count = 0
    let bytes = 0
    for await (const entry of zip.eachEntry()) {
      count += 1
      bytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (count > maxEntries || bytes > maxDirectoryBytes) throw unreadable('The archive has too many files')
      await endOfSlice()
      const path = readSafePath(loaded, entry)
      if (path === undefined) continue
      const unixMode = entry.externalFileAttributes >>> 16
      yield { path, size: entry.uncompressedSize, unixMode, open: () => openEntry({ zip, source }, entry) }
    }
  } catch (error) {
    throw source.toError(error)
  }
}
