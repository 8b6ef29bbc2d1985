import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as v from 'valibot'
import { invalid, isPlatformError } from '../../../kernel/errors.ts'
import { toError } from '../../../shared/error-code.ts'
import type { ArchiveKind } from './archive.ts'
import {
  bundleFile,
  contentFile,
  fileNames,
  format,
  manifestFile,
  maxContentBytes,
  maxUnpackedBytes,
  version,
} from './archive-format.ts'

const Manifest = v.object({ format: v.literal(format), version: v.number(), kind: v.picklist(['project', 'group']) })

/** A damaged or foreign archive. The message is the error of the import. */
const createArchiveError = (message: string) => invalid(`The archive cannot be imported: ${message}`)

/** The first bytes of formats that the package `tar` would decompress again, without a limit. */
const compressedFormats = [Buffer.from([0x1f, 0x8b]), Buffer.from([0x28, 0xb5, 0x2f, 0xfd])]

const isCompressed = (start: Buffer) =>
  compressedFormats.some((signature) => start.subarray(0, signature.length).equals(signature))

/** Passes the bytes of an uncompressed archive on, up to a limit. */
const limitBytes = (maximumBytes: number) => {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (size === 0 && isCompressed(chunk)) return done(createArchiveError('it is compressed twice'))
      size += chunk.length
      if (size > maximumBytes) done(createArchiveError('its unpacked size exceeds 4 GB'))
      else done(null, chunk)
    },
  })
}

/** Rejects every entry that no archive of the platform has: paths to other folders, links, devices and unknown files. */
const createEntryCheck = () => {
  const seen = new Set<string>()
  return (path: string, type: string, size: number): void => {
    if (type !== 'File' || !fileNames.includes(path) || seen.has(path))
      throw createArchiveError('it contains other files than an export')
    if (path !== bundleFile && size > maxContentBytes) throw createArchiveError(`${path} is too large`)
    seen.add(path)
  }
}

/**
 * Unpacks an archive to an empty folder. Only the three known files are written.
 *
 * @throws PlatformError `invalid` for an archive that is damaged, too large or contains anything else
 */
async function unpackArchive(archive: Readable, folder: string): Promise<void> {
  const { Unpack } = await import('tar')
  const check = createEntryCheck()
  const files = limitBytes(maxUnpackedBytes)
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    files.destroy(toError(failure))
    return false
  }
  const unpack = new Unpack({
    cwd: folder,
    strict: true,
    preserveOwner: false,
    filter(path, entry) {
      if (failure) return false
      try {
        check(path, 'type' in entry ? entry.type : '', entry.size)
        return true
      } catch (error) {
        return fail(error)
      }
    },
  })
  unpack.on('error', fail)
  pipeline(archive, createGunzip(), files, (error) => error && fail(error))
  const closed = once(unpack, 'close')
  closed.catch(() => undefined)
  try {
    for await (const chunk of files) if (!unpack.write(chunk)) await once(unpack, 'drain')
    unpack.end()
    await closed
  } catch (error) {
    fail(error)
  }
  if (failure) throw isPlatformError(failure) ? failure : createArchiveError('it is damaged')
}

const readJson = async (folder: string, name: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(join(folder, name), 'utf8'))
  } catch {
    throw createArchiveError(`${name} is missing or damaged`)
  }
}

const hasFile = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )

export interface ReadArchive {
  /** The unchecked data. */
  readonly content: unknown
  /** Opens the bundle; undefined for an archive without one. */
  readonly openBundle: (() => Readable) | undefined
}

/**
 * Unpacks and opens an archive.
 *
 * @throws PlatformError `invalid` for an archive that is damaged, or of another kind or version
 */
export async function readArchive(archive: Readable, folder: string, kind: ArchiveKind): Promise<ReadArchive> {
  await unpackArchive(archive, folder)
  const manifest = v.safeParse(Manifest, await readJson(folder, manifestFile))
  if (!manifest.success) throw createArchiveError('it is not an export of this platform')
  if (manifest.output.version !== version)
    throw createArchiveError(`its version is ${manifest.output.version}, not ${version}`)
  if (manifest.output.kind !== kind) throw createArchiveError(`it contains a ${manifest.output.kind}, not a ${kind}`)
  const bundle = join(folder, bundleFile)
  return {
    content: await readJson(folder, contentFile),
    openBundle: (await hasFile(bundle)) ? () => createReadStream(bundle) : undefined,
  }
}
