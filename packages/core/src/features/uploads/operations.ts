import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { afterTransaction } from '../../kernel/deferred.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { IdOrName } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../kernel/paging.ts'
import { toSafeFileName } from '../../shared/safe-file-name.ts'
import { userSummaries } from '../accounts/queries.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { getSettings } from '../settings/queries.ts'
import type { Upload, UploadContent } from './upload.ts'
import { readFile, readStoredContent, recordFile, reserveFile, writeFile } from './upload-file.ts'

const mebibyte = 1024 ** 2

const uploadKeyInput = {
  /** The 32 hexadecimal digits in the URL of the file. */
  secret: v.pipe(v.string(), v.maxLength(64)),
  /** Name of the file, as in its URL. */
  fileName: v.pipe(v.string(), v.maxLength(1_024)),
}

const columns = ['id', 'projectId', 'secret', 'fileName', 'size', 'userId', 'createdAt'] as const

type UploadRow = Omit<Upload, 'uploadedBy'> & { readonly userId: number | null }

const selectUploads = (ctx: Context, projectId: number) =>
  ctx.db.selectFrom('upload').where('upload.projectId', '=', projectId)

const completeUploads = async (ctx: Context, rows: readonly UploadRow[]): Promise<Upload[]> => {
  const users = await userSummaries(
    ctx,
    rows.flatMap(({ userId }) => userId ?? []),
  )
  return rows.map(({ userId, ...upload }) => ({
    ...upload,
    uploadedBy: userId === null ? null : (users.get(userId) ?? null),
  }))
}

/** Files that texts of a project link to, such as images in comments and downloads of releases. */
export const uploads = {
  /** Files of a project, newest first. */
  list: query({
    on: project,
    can: 'upload.manage',
    input: pagingEntries,
    async run(ctx, paging, { project }): Promise<Page<Upload>> {
      const rows = selectUploads(ctx, project.id).orderBy('id', 'desc').select(columns)
      const page = await paginate(rows, paging, (row): UploadRow => row)
      return { ...page, items: await completeUploads(ctx, page.items) }
    },
  }),

  /** The content of a file. The secret in its URL grants access to users who can see the project. */
  get: query({
    on: project,
    can: 'upload.read',
    input: uploadKeyInput,
    async run(ctx, { secret, fileName }, { project }) {
      const row = await selectUploads(ctx, project.id)
        .where('secret', '=', secret)
        .where('fileName', '=', fileName)
        .select(['id', 'fileName', 'size', 'storageKey'])
        .executeTakeFirst()
      if (row === undefined) throw notFound('')
      const { id, storageKey, ...file } = row
      const stored = storageKey === null ? await readStoredContent(ctx, id) : undefined
      const { ports, call } = ctx
      return afterTransaction(
        async (): Promise<UploadContent> => ({
          ...file,
          content: stored ?? (await readFile({ ports, call }, storageKey ?? '')),
        }),
      )
    },
  }),

  /**
   * Stores a file for use in texts of the project.
   *
   * @throws PlatformError `invalid` when it is larger than the setting `maxAttachmentSize`
   */
  create: command({
    on: project,
    can: 'upload.create',
    input: {
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
    },
    async run(ctx, { file, author }, { project }) {
      const { maxAttachmentSize } = await getSettings(ctx)
      const size = file.content.byteLength
      if (size > maxAttachmentSize * mebibyte)
        throw invalid({ file: [`is too big (maximum is ${maxAttachmentSize} MB)`] })
      const row = {
        projectId: project.id,
        secret: Buffer.from(ctx.ports.random.bytes(16)).toString('hex'),
        fileName: toSafeFileName(file.fileName),
        size,
        userId: await resolveAuthorId(ctx, author),
        createdAt: ctx.now,
      }
      const storageKey = await reserveFile(ctx, project.id)
      const { ports } = ctx
      return afterTransaction(async ({ write }) => {
        const { sha256 } = await writeFile({ ports }, storageKey, file.content)
        return write(async (ctx) => {
          await recordFile(ctx, storageKey)
          const [inserted] = await ctx.db
            .insertInto('upload')
            .values({ ...row, storageKey, sha256 } satisfies CompleteRow<'upload'>)
            .returning('id')
            .execute()
          const [upload] = await completeUploads(ctx, [{ ...row, id: (inserted as { id: number }).id }])
          return upload as Upload
        })
      })
    },
  }),

  /** Removes a file. Texts that link to it stay unchanged. */
  remove: command({
    on: project,
    can: 'upload.manage',
    input: uploadKeyInput,
    async run(ctx, { secret, fileName }, { project }) {
      const rows = selectUploads(ctx, project.id).where('secret', '=', secret).where('fileName', '=', fileName)
      const upload = await rows.select(['id', 'storageKey']).executeTakeFirst()
      if (upload === undefined) throw notFound('')
      const { id, storageKey } = upload
      await ctx.db.deleteFrom('upload').where('id', '=', id).execute()
      // After the commit, so that a rollback loses nothing.
      if (storageKey !== null) await ctx.enqueue('uploads.removeFile', { storageKey })
    },
  }),
}
