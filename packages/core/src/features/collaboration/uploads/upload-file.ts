import type { Readable } from 'node:stream'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { cancel } from '../../../kernel/jobs/queue.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { createFileKey } from '../../../ports/file-storage/file-key.ts'
import type { ReadOptions, WrittenFile } from '../../../ports/file-storage.ts'

/** A file without a row is removed after this time, because the process that wrote it has ended. */
const reservationSeconds = 3_600

/** The prefix of the files of a project. */
export const uploadPrefix = (projectId: number): string => `uploads/${projectId}/`

/** The prefix of the files of a group. */
export const groupUploadPrefix = (groupId: number): string => `uploads/group-${groupId}/`

/** The prefix of the files of the packages of a project. */
export const packagePrefix = (projectId: number): string => `packages/${projectId}/`

/**
 * Chooses the storage key of a new file below a prefix. A job removes the file later unless `recordFile` runs before: a crash between the
 * write and the row leaves no file behind.
 */
export async function reserveFile(ctx: Context, prefix: string): Promise<string> {
  const storageKey = createFileKey(prefix.slice(0, -1))
  const runAfter = addSeconds(ctx.now, reservationSeconds)
  await ctx.enqueue('uploads.removeFile', { storageKey }, { key: storageKey, runAfter })
  return storageKey
}

/**
 * Ends the reservation, in the transaction that writes the row of the file.
 *
 * @throws PlatformError `unavailable` when writing the file took longer than the reservation
 */
export async function recordFile(ctx: Context, storageKey: string): Promise<void> {
  if (!(await cancel(ctx, 'uploads.removeFile', storageKey)))
    throw new PlatformError('unavailable', 'Storing the file took too long', { retryAfter: 60 })
}

/** Ends the reservation of a file that was not stored. */
export const cancelFile = (ctx: Context, storageKey: string): Promise<boolean> =>
  cancel(ctx, 'uploads.removeFile', storageKey)

/** A file that is stored outside transactions. Its limit was checked before. */
export const writeFile = ({ ports }: Pick<Context, 'ports'>, key: string, content: Uint8Array): Promise<WrittenFile> =>
  ports.files.write(key, [content], { maximumBytes: content.byteLength })

/**
 * Streams a file, or the range of it.
 *
 * @throws Error if the file is missing: the storage has lost it
 */
export async function readFile(
  { ports, call }: Pick<Context, 'ports' | 'call'>,
  key: string,
  range: Pick<ReadOptions, 'offset' | 'length'> = {},
): Promise<Readable> {
  const content = await ports.files.read(key, { ...range, signal: call.signal?.() })
  if (content) return content
  throw new Error(`The file ${key} is missing in the file storage. Restore it from a backup`)
}
