import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { PlatformError } from '../../kernel/errors.ts'
import { getErrorCode } from '../../shared/error-code.ts'
import type { ReceiveRequest } from '../git.ts'
import { GitProcessError } from './errors.ts'
import { requireCommitIds } from './object-id.ts'
import { quotePath } from './quoted-path.ts'
import type { GitRuntime } from './runtime.ts'

/** A pack with fewer objects is stored as single files, like in `git receive-pack`, so that small pushes leave no packs. */
const unpackLimit = 100
const packHeaderBytes = 12
const readBytes = 256 * 1024

/** Findings of `git fsck` that old, widely used repositories have. */
const toleratedFindings = ['badTimezone', 'missingSpaceBeforeDate', 'zeroPaddedFilemode', 'missingEmail']

const rejectPack = (message: string) => new PlatformError('unprocessable', message, { reason: 'rejected_pack' })

/** The last line of git's output, without its prefix: `pack exceeds maximum allowed size`. */
const toPackError = (error: unknown): unknown => {
  if (!(error instanceof GitProcessError)) return error
  const line = error.stderr.trim().split('\n').at(-1) ?? ''
  return rejectPack(line.replace(/^(fatal|error): /, '').slice(0, 500) || 'the pack is invalid')
}

async function* limitSize(pack: AsyncIterable<Uint8Array>, maximumBytes: number) {
  let size = 0
  for await (const chunk of pack) {
    size += chunk.length
    if (size > maximumBytes) throw rejectPack('pack exceeds maximum allowed size')
    yield chunk
  }
}

/**
 * Writes a pack to a file as it arrives, before git starts: a slow client must not occupy one of git's processes, which clones
 * and other pushes need.
 */
const spool = async (file: string, pack: AsyncIterable<Uint8Array>, { maximumBytes, signal }: ReceiveRequest) => {
  const chunks = maximumBytes === undefined ? pack : limitSize(pack, maximumBytes)
  try {
    await writeFile(file, chunks, { mode: 0o600, ...(signal && { signal }) })
  } catch (error) {
    const code = getErrorCode(error)
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
    throw new PlatformError('unavailable', 'The disk is full: nothing was changed', { reason: 'full', cause: error })
  }
}

/** The number of objects that the header of a pack states. */
const parseObjectCount = (header: Buffer): number => {
  if (header.length < packHeaderBytes) throw rejectPack('the pack is incomplete')
  return header.readUInt32BE(8)
}

const readObjectCount = async (file: string): Promise<number> => {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(packHeaderBytes), 0, packHeaderBytes, 0)
    return parseObjectCount(buffer.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}

/** Where git writes the objects of a push until they are checked. `git gc` removes old folders with this name. */
const createQuarantine = async (directory: string) => {
  const objects = join(directory, 'objects')
  const folder = await mkdtemp(join(objects, 'tmp_objdir-incoming-'))
  return {
    objects,
    folder,
    environment: {
      GIT_OBJECT_DIRECTORY: folder,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(Buffer.from(objects)),
      GIT_QUARANTINE_PATH: folder,
    },
  }
}

type Quarantine = Awaited<ReturnType<typeof createQuarantine>>

interface Pack {
  readonly objectCount: number
  readonly input: AsyncIterable<Uint8Array>
}

const spoolPack = async (folder: string, pack: AsyncIterable<Uint8Array>, request: ReceiveRequest): Promise<Pack> => {
  const file = join(folder, 'received')
  await spool(file, pack, request)
  return { objectCount: await readObjectCount(file), input: createReadStream(file, { highWaterMark: readBytes }) }
}

/** Only git knows where the pack ends, so it reads the stream of the client. */
const openPack = async (pack: AsyncIterable<Uint8Array>, { maximumBytes }: ReceiveRequest): Promise<Pack> => {
  const chunks = (maximumBytes === undefined ? pack : limitSize(pack, maximumBytes))[Symbol.asyncIterator]()
  let start: Buffer = Buffer.alloc(0)
  while (start.length < packHeaderBytes) {
    const next = await chunks.next()
    if (next.done) break
    start = Buffer.concat([start, next.value])
  }
  async function* readFromStart() {
    yield start
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  }
  return { objectCount: parseObjectCount(start), input: readFromStart() }
}

const storePack = async (
  { directory, runner, limits }: GitRuntime,
  { folder, environment }: Quarantine,
  request: ReceiveRequest,
) => {
  const { pack, isOpenEnded = false, signal } = request
  if (pack === undefined) return
  const { objectCount, input } = await (isOpenEnded ? openPack(pack, request) : spoolPack(folder, pack, request))
  const strict = `--strict=${toleratedFindings.map((finding) => `${finding}=ignore`).join(',')}`
  const command = objectCount < unpackLimit ? ['unpack-objects', '-q'] : ['index-pack', '--stdin', '--fix-thin']
  try {
    await runner.run({
      directory,
      arguments: [...command, strict],
      environment,
      input,
      timeout: limits.streamTimeout,
      isLongRunning: true,
      isRemote: isOpenEnded,
      signal,
    })
  } catch (error) {
    throw toPackError(error)
  }
}

/** Checks that every object exists that can be reached from the tips, but not from references. */
const assertConnected = async (
  { directory, runner, limits }: GitRuntime,
  { environment }: Quarantine,
  { tips, signal }: ReceiveRequest,
) => {
  if (tips.length === 0) return
  const { code } = await runner.run({
    directory,
    arguments: ['rev-list', '--objects', '--stdin', '--not', '--all', '--quiet', '--alternate-refs'],
    environment,
    input: requireCommitIds(tips).map((id) => `${id}\n`),
    timeout: limits.streamTimeout,
    expectedExitCodes: [1, 128],
    signal,
  })
  if (code !== 0) throw rejectPack('missing necessary objects')
}

/** Readers find a pack by its index, which therefore comes last. */
const packFileOrder = ['.pack', '.rev', '.idx']

const publishFolder = async (from: string, to: string) => {
  await mkdir(to, { recursive: true })
  const names = await readdir(from)
  const byOrder = names.sort((a, b) => packFileOrder.indexOf(extname(a)) - packFileOrder.indexOf(extname(b)))
  for (const name of byOrder) await rename(join(from, name), join(to, name))
}

/** Moves the objects to those of the repository. */
const publish = async ({ objects, folder }: Quarantine) => {
  for (const name of await readdir(folder)) {
    if (name === 'pack' || /^[0-9a-f]{2}$/.test(name)) await publishFolder(join(folder, name), join(objects, name))
  }
}

/** See `Repository.receiveObjects`. */
export const receiveObjects = async (runtime: GitRuntime, request: ReceiveRequest): Promise<void> => {
  const quarantine = await createQuarantine(runtime.directory)
  try {
    await storePack(runtime, quarantine, request)
    await assertConnected(runtime, quarantine, request)
    await publish(quarantine)
  } finally {
    await rm(quarantine.folder, { recursive: true, force: true })
  }
}
