import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { storeUpload, type UploadRow, uploadInput } from './store-upload.ts'
import type { Upload, UploadContent } from './upload.ts'
import { readFile } from './upload-file.ts'

const uploadKeyInput = {
  /** The 32 hexadecimal digits in the URL of the file. */
  secret: v.pipe(v.string(), v.maxLength(64)),
  /** Name of the file, as in its URL. */
  fileName: v.pipe(v.string(), v.maxLength(1_024)),
}

const columns = ['id', 'projectId', 'secret', 'fileName', 'size', 'userId', 'createdAt'] as const

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
  /** Lists files of a project, newest first. */
  list: query({
    on: project,
    can: 'upload.list',
    input: pagingEntries,
    async run(ctx, paging, { project }): Promise<Page<Upload>> {
      const rows = selectUploads(ctx, project.id).orderBy('id', 'desc').select(columns)
      const page = await paginate(rows, paging, (row): UploadRow => row)
      return { ...page, items: await completeUploads(ctx, page.items) }
    },
  }),

  /** Gets the content of a file. The secret in its URL grants access to users who can see the project. */
  get: query({
    on: project,
    can: 'upload.read',
    input: uploadKeyInput,
    async run(ctx, { secret, fileName }, { project }) {
      const row = await selectUploads(ctx, project.id)
        .where('secret', '=', secret)
        .where('fileName', '=', fileName)
        .select(['fileName', 'size', 'storageKey'])
        .executeTakeFirst()
      if (row === undefined) throw notFound('')
      const { storageKey, ...file } = row
      const { ports, call } = ctx
      return afterTransaction(
        async (): Promise<UploadContent> => ({
          ...file,
          content: await readFile({ ports, call }, storageKey),
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
    input: uploadInput,
    run: (ctx, input, { project }) =>
      storeUpload(ctx, project, input, async (ctx, row) => {
        const [upload] = await completeUploads(ctx, [row])
        return defined(upload)
      }),
  }),

  /** Removes a file. Texts that link to it stay unchanged. */
  remove: command({
    on: project,
    can: 'upload.remove',
    input: uploadKeyInput,
    async run(ctx, { secret, fileName }, { project }) {
      const rows = selectUploads(ctx, project.id).where('secret', '=', secret).where('fileName', '=', fileName)
      const upload = await rows.select(['id', 'storageKey']).executeTakeFirst()
      if (upload === undefined) throw notFound('')
      const { id, storageKey } = upload
      await assertRowUnmodified(ctx, 'upload', id)
      await ctx.db.deleteFrom('upload').where('id', '=', id).execute()
      // After the commit, so that a rollback loses nothing.
      await ctx.enqueue('uploads.removeFile', { storageKey })
    },
  }),
}
