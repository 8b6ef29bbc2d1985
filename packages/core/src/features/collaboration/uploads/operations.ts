import * as v from 'valibot'
import { container, toPlaceKey } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import { exactlyOne, Id } from '../../../kernel/inputs.ts'
import { command, type InputRule, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { storeUpload, type UploadRow, uploadInput } from './store-upload.ts'
import type { Upload, UploadContent } from './upload.ts'
import { readFile } from './upload-file.ts'

const uploadReference = {
  /** Id of the file, as in `uploads.list`, instead of `secret` and `fileName`. Requires the permission to list the files. */
  upload: v.optional(Id),
  /** The 32 hexadecimal digits in the URL of the file. */
  secret: v.optional(v.pipe(v.string(), v.maxLength(64))),
  /** Name of the file, as in its URL. */
  fileName: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
}

type UploadReference = { readonly [Field in keyof typeof uploadReference]?: string | number | undefined }

/** A file has an id, or a secret and a name. */
const referenceRules: readonly InputRule<UploadReference>[] = [
  exactlyOne<UploadReference>('upload', 'secret'),
  exactlyOne<UploadReference>('upload', 'fileName'),
]

const columns = ['id', 'projectId', 'groupId', 'secret', 'fileName', 'size', 'userId', 'createdAt'] as const

type Place = Subjects['project' | 'group']

const selectUploads = (ctx: Context, subject: Place) => {
  const { projectId, groupId } = toPlaceKey(subject)
  const uploads = ctx.db.selectFrom('upload')
  return projectId === null ? uploads.where('groupId', '=', groupId) : uploads.where('projectId', '=', projectId)
}

/** @throws PlatformError `not_found` if there is no such file; `forbidden` for an id if the current user may not list the files */
const getUpload = async (
  ctx: Context,
  subject: Place,
  {
    upload,
    secret,
    fileName,
  }: { upload?: number | undefined; secret?: string | undefined; fileName?: string | undefined },
) => {
  if (upload !== undefined) assertAbility<'project' | 'group'>(ctx.actor, subject, 'upload.list')
  const rows = selectUploads(ctx, subject)
  const referenced =
    upload === undefined
      ? rows.where('secret', '=', secret ?? '').where('fileName', '=', fileName ?? '')
      : rows.where('id', '=', upload)
  const row = await referenced.select(['id', 'fileName', 'size', 'storageKey']).executeTakeFirst()
  if (row === undefined) throw notFound('')
  return row
}

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

/** Files that texts of a project or a group link to, such as images in comments and downloads of releases. */
export const uploads = {
  /** Lists files of a project or a group, newest first. */
  list: query({
    on: container,
    can: 'upload.list',
    input: pagingEntries,
    async run(ctx, paging, subject): Promise<Page<Upload>> {
      const rows = selectUploads(ctx, subject).orderBy('id', 'desc').select(columns)
      const page = await paginate(rows, paging, (row): UploadRow => row)
      return { ...page, items: await completeUploads(ctx, page.items) }
    },
  }),

  /** Gets the content of a file. The secret in its URL grants access to users who can see the project or group. */
  get: query({
    on: container,
    can: 'upload.read',
    input: uploadReference,
    rules: referenceRules,
    async run(ctx, reference, subject) {
      const { id: _id, storageKey, ...file } = await getUpload(ctx, subject, reference)
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
   * Stores a file for use in texts of the project or group.
   *
   * @throws PlatformError `invalid` when it is larger than the setting `maxAttachmentSize`
   */
  create: command({
    on: container,
    can: 'upload.create',
    input: uploadInput,
    run: (ctx, input, subject) =>
      storeUpload(ctx, subject, input, async (ctx, row) => {
        const [upload] = await completeUploads(ctx, [row])
        return defined(upload)
      }),
  }),

  /** Removes a file. Texts that link to it stay unchanged. */
  remove: command({
    on: container,
    can: 'upload.remove',
    input: uploadReference,
    rules: referenceRules,
    async run(ctx, reference, subject) {
      const { id, storageKey } = await getUpload(ctx, subject, reference)
      await assertRowUnmodified(ctx, 'upload', id)
      await ctx.db.deleteFrom('upload').where('id', '=', id).execute()
      // After the commit, so that a rollback loses nothing.
      await ctx.enqueue('uploads.removeFile', { storageKey })
    },
  }),
}
