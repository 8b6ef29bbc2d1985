import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { invalid } from '../../../kernel/errors.ts'
import type { ArchiveKind } from './archive.ts'
import {
  bundleFile,
  contentFile,
  fileNames,
  format,
  manifestFile,
  maxContentBytes,
  mebibyte,
  version,
} from './archive-format.ts'

export interface NewArchive {
  readonly kind: ArchiveKind
  readonly content: unknown
  readonly omitted: readonly string[]
  readonly createdAt: string
  /** The branches and tags; undefined without any. */
  readonly bundle: Readable | undefined
}

/**
 * Writes the files of an archive to a folder and returns the compressed archive as a stream of them.
 *
 * @throws PlatformError `invalid` when the data is larger than an import accepts
 */
export async function packArchive(folder: string, archive: NewArchive): Promise<AsyncIterable<Uint8Array>> {
  const { kind, content, omitted, createdAt, bundle } = archive
  const text = JSON.stringify(content)
  if (Buffer.byteLength(text) > maxContentBytes)
    throw invalid(`The data is too large for an archive (maximum is ${maxContentBytes / mebibyte} MB)`)
  await writeFile(join(folder, manifestFile), JSON.stringify({ format, version, kind, createdAt, omitted }, null, 2))
  await writeFile(join(folder, contentFile), text)
  if (bundle) await writeFile(join(folder, bundleFile), bundle)
  const { create } = await import('tar')
  const names = bundle ? fileNames : [manifestFile, contentFile]
  return create({ gzip: true, cwd: folder, portable: true }, [...names])
}
