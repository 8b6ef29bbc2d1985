import * as v from 'valibot'
import { toPlaceKey } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { invalid } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import type { MaybePromise } from '../../../kernel/store.ts'
import { toSafeFileName } from '../../../shared/safe-file-name.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import type { Upload } from './upload.ts'
import { groupUploadPrefix, recordFile, reserveFile, uploadPrefix, writeFile } from './upload-file.ts'

const mebibyte = 1024 ** 2

export const uploadInput = {
  /** The file, at most as large as the setting `maxAttachmentSize` (10 MB by default). */
  file: v.strictObject({
    /**
     * Name of the file. Folders are removed, and characters other than letters, digits and `.-_+` replaced with
     * `_`.
     */
    fileName: v.string(),
    /** The bytes of the file. */
    content: v.instance(Uint8Array),
  }),
  /**
   * Id or username of the user who uploads it. For the host application only, which must name one; users upload for
   * themselves.
   */
  author: v.optional(IdOrName),
}

const UploadSchema = v.object(uploadInput)

export type UploadRow = Omit<Upload, 'uploadedBy'> & { readonly userId: number | null }

/**
 * Stores a file for texts of a project or a group after the transaction. `toResult` runs in the transaction that adds its row.
 *
 * @throws PlatformError `invalid` when it is larger than the setting `maxAttachmentSize`
 */
export const storeUpload = async <T>(
  ctx: Context,
  subject: Subjects['project' | 'group'],
  { file, author }: v.InferOutput<typeof UploadSchema>,
  toResult: (ctx: Context, upload: UploadRow) => MaybePromise<T>,
): Promise<Deferred<T>> => {
  const { maxAttachmentSize } = await getSettings(ctx)
  const size = file.content.byteLength
  if (size > maxAttachmentSize * mebibyte) throw invalid({ file: [`is too big (maximum is ${maxAttachmentSize} MB)`] })
  const row = {
    ...toPlaceKey(subject),
    secret: Buffer.from(ctx.ports.random.bytes(16)).toString('hex'),
    fileName: toSafeFileName(file.fileName),
    size,
    userId: await resolveAuthorId(ctx, author),
    createdAt: ctx.now,
  }
  const prefix = subject.kind === 'project' ? uploadPrefix(subject.project.id) : groupUploadPrefix(subject.group.id)
  const storageKey = await reserveFile(ctx, prefix)
  const { ports } = ctx
  return afterTransaction(async ({ write }) => {
    const { sha256 } = await writeFile({ ports }, storageKey, file.content)
    return write(async (ctx) => {
      await recordFile(ctx, storageKey)
      const inserted = await ctx.db
        .insertInto('upload')
        .values({ ...row, storageKey, sha256 } satisfies CompleteRow<'upload'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      return toResult(ctx, { ...row, id: inserted.id })
    })
  })
}
