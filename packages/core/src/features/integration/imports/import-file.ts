import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { invalid } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { recordFile, reserveFile, writeFile } from '../../collaboration/uploads/upload-file.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import type { Container } from '../../spaces/members/membership-rows.ts'
import { containerKey } from '../../spaces/members/queries.ts'
import type { ImportDetails, ImportOptions } from '../archives/archive.ts'
import { mebibyte } from '../archives/archive-format.ts'
import { readImportDetails } from '../archives/queries.ts'

export const fileInput = {
  /** The archive, at most as large as the setting `maxImportSize` (50 MB by default). */
  file: v.strictObject({
    /** Name of the file; without effect. */
    fileName: v.string(),
    /** The bytes of the file. */
    content: v.instance(Uint8Array),
  }),
  /**
   * Id or username of the user who imports it. For the host application only, which must name one; users import for themselves.
   */
  author: v.optional(IdOrName),
}

const FileSchema = v.object(fileInput)
type ArchiveFile = v.InferOutput<typeof FileSchema>

const gzipSignature = [0x1f, 0x8b]

const assertArchive = async (ctx: Context, { content }: ArchiveFile['file']) => {
  const { maxImportSize } = await getSettings(ctx)
  if (maxImportSize > 0 && content.byteLength > maxImportSize * mebibyte)
    throw invalid({ file: [`is too big (maximum is ${maxImportSize} MB)`] })
  if (gzipSignature.some((byte, at) => content[at] !== byte)) throw invalid({ file: ['is not a .tar.gz archive'] })
}

/** Creates the empty project or group of an import, in the transaction that stores the import. */
type CreateContainer = (
  ctx: Context,
  userId: number,
) => Promise<{ readonly container: Container; readonly options: ImportOptions }>

/**
 * Stores an archive, then creates the project or group that a job fills with its content.
 *
 * @throws PlatformError `invalid` when the file is too large or not compressed with gzip
 */
export async function storeImport(
  ctx: Context,
  { file, author }: ArchiveFile,
  create: CreateContainer,
): Promise<Deferred<ImportDetails>> {
  await assertArchive(ctx, file)
  const userId = await resolveAuthorId(ctx, author)
  const storageKey = await reserveFile(ctx, 'archives/imports/')
  const { ports } = ctx
  return afterTransaction(async ({ write }) => {
    await writeFile({ ports }, storageKey, file.content)
    return write(async (ctx) => {
      await recordFile(ctx, storageKey)
      const { container, options } = await create(ctx, userId)
      const row = await ctx.db
        .insertInto('archiveImport')
        .values({
          ...containerKey(container),
          userId,
          status: 'scheduled',
          error: null,
          storageKey,
          createdAt: ctx.now,
          correlationId: randomUUID().replaceAll('-', ''),
          options,
        } satisfies CompleteRow<'archiveImport'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      await ctx.enqueue('archives.import', { import: row.id })
      return readImportDetails(ctx, container)
    })
  })
}
