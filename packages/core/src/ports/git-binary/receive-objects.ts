import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { PlatformError } from '../../kernel/errors.ts'
import type { ReceiveRequest } from '../git.ts'
import { GitProcessError } from './errors.ts'
import { requireCommitIds } from './object-id.ts'
import { quotePath } from './quoted-path.ts'
import type { GitRuntime } from './runtime.ts'

/** A pack with fewer objects is stored as single files, like in `git receive-pack`, so that small pushes leave no packs. */
const unpackLimit = 100
const packHeaderBytes = 12

/** Findings of `git fsck` that old, widely used repositories have. */
const toleratedFindings = ['badTimezone', 'missingSpaceBeforeDate', 'zeroPaddedFilemode', 'missingEmail']

const rejectPack = (message: string) => new PlatformError('unprocessable', message, { reason: 'rejected_pack' })

/** The last line of git's output, without its prefix: `pack exceeds maximum allowed size`. */
const toPackError = (error: unknown): unknown => {
  if (!(error instanceof GitProcessError)) return error
  const line = error.stderr.trim().split('\n').at(-1) ?? ''
  return rejectPack(line.replace(/^(fatal|error): /, '').slice(0, 500) || 'the pack is invalid')
}

/** Splits the header from a stream, which then contains it again. */
const readHeader = async (pack: AsyncIterable<Uint8Array>) => {
  const iterator = pack[Symbol.asyncIterator]()
  let start: Uint8Array = Buffer.alloc(0)
  while (start.length < packHeaderBytes) {
    const { done, value } = await iterator.next()
    if (done) throw rejectPack('the pack is incomplete')
    start = Buffer.concat([start, value])
  }
  async function* rejoin() {
    yield start
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  }
  return { count: Buffer.from(start).readUInt32BE(8), chunks: rejoin() }
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

const storePack = async (
  { directory, runner, limits }: GitRuntime,
  { environment }: Quarantine,
  { pack, maximumBytes = 0, signal }: ReceiveRequest,
) => {
  if (pack === undefined) return
  const { count, chunks } = await readHeader(pack)
  const strict = `--strict=${toleratedFindings.map((finding) => `${finding}=ignore`).join(',')}`
  const command =
    count < unpackLimit ? ['unpack-objects', '-q', strict] : ['index-pack', '--stdin', '--fix-thin', strict]
  try {
    await runner.run({
      directory,
      // 0: no limit
      arguments: [...command, `--max-input-size=${maximumBytes}`],
      environment,
      input: chunks,
      timeout: limits.streamTimeout,
      isLongRunning: true,
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
