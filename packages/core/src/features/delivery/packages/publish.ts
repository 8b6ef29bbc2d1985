import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import { cancelFile, recordFile } from '../../collaboration/uploads/upload-file.ts'
import { type Digests, digestWhileReading } from './digests.ts'
import { assertQuota, type FileLimit } from './limits.ts'
import { changePackagesSize, findOrCreatePackage, type PackageName } from './mutations.ts'
import type { PackageFile, PackageStatus, PublishedPackageFile } from './package.ts'

export interface NewPackageFile extends PackageName {
  readonly fileName: string
  readonly status?: PackageStatus | undefined
  readonly content: AsyncIterable<Uint8Array> | Uint8Array
  readonly project: Project
  readonly storageKey: string
  readonly limit: FileLimit
  readonly signal: AbortSignal | undefined
}

type StoredContent = Digests & Pick<PackageFile, 'size' | 'sha256'>

/** @throws PlatformError `invalid` if the file exceeds its limit. Nothing is stored after an error. */
const storeContent = async (
  { ports }: Pick<Context, 'ports'>,
  { content, storageKey, limit, signal }: NewPackageFile,
): Promise<StoredContent> => {
  const { chunks, digests } = digestWhileReading(content)
  try {
    const written = await ports.files.write(storageKey, chunks, { maximumBytes: limit.maximumBytes, signal })
    return { ...written, ...digests() }
  } catch (error) {
    if (isPlatformError(error) && error.reason === 'too_large') throw limit.error
    throw error
  }
}

const record = async (ctx: Context, file: NewPackageFile, stored: StoredContent): Promise<PublishedPackageFile> => {
  const { project, storageKey, fileName } = file
  await recordFile(ctx, storageKey)
  await assertQuota(ctx, project.id, stored.size)
  const target = await findOrCreatePackage(ctx, project.id, file, file.status)
  const { size, sha256, sha1, md5 } = stored
  const row = { packageId: target.id, fileName, size, sha256, sha1, md5, createdAt: ctx.now }
  const inserted = await ctx.db
    .insertInto('packageFile')
    .values({ ...row, storageKey } satisfies CompleteRow<'packageFile'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  await changePackagesSize(ctx, project.id, size)
  const added = { id: inserted.id, ...row }
  await ctx.emit('package.published', { package: target, file: added })
  return { ...added, package: target }
}

/**
 * Stores the content, then records it in one transaction. An upload that ends early leaves no file, no package and no reservation
 * behind. After other errors and crashes, the job of the reservation removes the file.
 */
export const publishFile = async (
  ctx: Pick<Context, 'ports'>,
  { write }: TransactionRunner,
  file: NewPackageFile,
): Promise<PublishedPackageFile> => {
  let stored: StoredContent
  try {
    stored = await storeContent(ctx, file)
  } catch (error) {
    await write((writeCtx) => cancelFile(writeCtx, file.storageKey)).catch(() => undefined)
    throw error
  }
  return write((writeCtx) => record(writeCtx, file, stored))
}
