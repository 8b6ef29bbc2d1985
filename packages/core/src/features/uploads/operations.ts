import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { userSummaries } from '../accounts/queries.ts'
import { userIdOf } from '../issuables/author.ts'
import { settingsInForce } from '../settings/queries.ts'
import { safeFileName, type Upload, type UploadContent } from './upload.ts'

const mebibyte = 1024 ** 2

const named = { secret: v.pipe(v.string(), v.maxLength(64)), fileName: v.pipe(v.string(), v.maxLength(1_024)) }

const columns = ['id', 'projectId', 'secret', 'fileName', 'size', 'userId', 'createdAt'] as const

type Row = Omit<Upload, 'uploadedBy'> & { readonly userId: number | null }

const uploadsOf = (ctx: Context, projectId: number) =>
  ctx.db.selectFrom('upload').where('upload.projectId', '=', projectId)

const complete = async (ctx: Context, rows: readonly Row[]): Promise<Upload[]> => {
  const people = await userSummaries(
    ctx,
    rows.flatMap(({ userId }) => userId ?? []),
  )
  return rows.map(({ userId, ...upload }) => ({
    ...upload,
    uploadedBy: userId === null ? null : (people.get(userId) ?? null),
  }))
}

/** Files that belong to the texts of a project: pictures in comments, things to download with a release. */
export const uploads = {
  /** Files of a project, the newest first. */
  list: query({
    on: project,
    can: 'upload.manage',
    input: paging,
    async run(ctx, at, { project }) {
      const rows = uploadsOf(ctx, project.id).orderBy('id', 'desc').select(columns)
      const page = await paginate(rows, at, (row): Row => row)
      return { ...page, items: await complete(ctx, page.items) }
    },
  }),

  /** What a file holds, for whoever knows its address. */
  get: query({
    on: project,
    can: 'upload.read',
    input: named,
    async run(ctx, { secret, fileName }, { project }): Promise<UploadContent> {
      const row = await uploadsOf(ctx, project.id)
        .where('secret', '=', secret)
        .where('fileName', '=', fileName)
        .select(['fileName', 'content'])
        .executeTakeFirst()
      if (row === undefined) throw notFound('')
      return row
    },
  }),

  /**
   * Keeps a file. Its name is changed where an address could not hold it.
   *
   * @throws PlatformError `invalid` when it is larger than the instance lets attachments be
   */
  create: command({
    on: project,
    can: 'upload.create',
    input: {
      file: v.strictObject({ fileName: v.string(), content: v.instance(Uint8Array) }),
      /** Only for the host application: who sends it. */
      author: v.optional(Reference),
    },
    async run(ctx, { file, author }, { project }) {
      const { maxAttachmentSize } = await settingsInForce(ctx)
      const { byteLength: size, byteOffset, buffer } = file.content
      if (size > maxAttachmentSize * mebibyte)
        throw invalid({ file: [`is too big (maximum is ${maxAttachmentSize} MB)`] })
      const row = {
        projectId: project.id,
        secret: Buffer.from(ctx.ports.random.bytes(16)).toString('hex'),
        fileName: safeFileName(file.fileName),
        size,
        userId: await userIdOf(ctx, author),
        createdAt: ctx.now,
      }
      const [made] = await ctx.db
        .insertInto('upload')
        .values({ ...row, content: Buffer.from(buffer as ArrayBuffer, byteOffset, size) })
        .returning('id')
        .execute()
      const [upload] = await complete(ctx, [{ ...row, id: (made as { id: number }).id }])
      return upload as Upload
    },
  }),

  /** Removes a file. */
  remove: command({
    on: project,
    can: 'upload.manage',
    input: named,
    async run(ctx, { secret, fileName }, { project }) {
      const rows = uploadsOf(ctx, project.id).where('secret', '=', secret).where('fileName', '=', fileName)
      const found = await rows.select('id').executeTakeFirst()
      if (found === undefined) throw notFound('')
      await ctx.db.deleteFrom('upload').where('id', '=', found.id).execute()
    },
  }),
}
