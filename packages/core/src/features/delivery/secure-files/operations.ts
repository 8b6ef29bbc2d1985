import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { readFile, recordFile, reserveFile, uploadPrefix, writeFile } from '../../collaboration/uploads/upload-file.ts'
import type { SecureFile, SecureFileContent } from './secure-file.ts'

const maxFiles = 100
const maxMegabytes = 5
const maxBytes = maxMegabytes * 1024 ** 2

const fileReference = {
  /** Id of the file. */
  secureFile: Id,
}

const columns = ['id', 'name', 'sha256 as checksum', 'createdAt'] as const

const selectFiles = (ctx: Context, projectId: number) =>
  ctx.db.selectFrom('secureFile').where('projectId', '=', projectId)

const assertNewName = async (ctx: Context, projectId: number, name: string): Promise<void> => {
  const taken = await selectFiles(ctx, projectId).where('name', '=', name).select('id').executeTakeFirst()
  if (taken) throw invalid({ name: ['has already been taken'] })
  const full = await selectFiles(ctx, projectId)
    .select('id')
    .orderBy('id')
    .offset(maxFiles - 1)
    .limit(1)
    .executeTakeFirst()
  if (full) throw invalid(`A project has at most ${maxFiles} secure files`)
}

const getStoredFile = async (ctx: Context, projectId: number, id: number) => {
  const row = await selectFiles(ctx, projectId)
    .where('id', '=', id)
    .select(['id', 'name', 'size', 'storageKey'])
    .executeTakeFirst()
  if (!row) throw notFound('Secure File')
  return row
}

/** Files that the jobs of a project need, such as certificates and key stores. Their content is not encrypted. */
export const secureFiles = {
  /** Lists the secure files of a project, oldest first. */
  list: query({
    on: project,
    can: 'secureFile.read',
    input: pagingEntries,
    run: (ctx, paging, { project }) =>
      paginate(selectFiles(ctx, project.id).orderBy('id').select(columns), paging, (row): SecureFile => row),
  }),

  /** Gets a secure file without its content. */
  get: query({
    on: project,
    can: 'secureFile.read',
    input: fileReference,
    async run(ctx, { secureFile }, { project }): Promise<SecureFile> {
      const row = await selectFiles(ctx, project.id).where('id', '=', secureFile).select(columns).executeTakeFirst()
      if (!row) throw notFound('Secure File')
      return row
    },
  }),

  /** Gets the content of a secure file. */
  download: query({
    on: project,
    can: 'secureFile.read',
    input: fileReference,
    async run(ctx, { secureFile }, { project }) {
      const { name: fileName, size, storageKey } = await getStoredFile(ctx, project.id, secureFile)
      const { ports, call } = ctx
      return afterTransaction(
        async (): Promise<SecureFileContent> => ({
          fileName,
          size,
          content: await readFile({ ports, call }, storageKey),
        }),
      )
    },
  }),

  /**
   * Adds a secure file. A project has at most 100.
   *
   * @throws PlatformError `invalid` for a name that another file has, an empty file, and one of more than 5 MB
   */
  create: command({
    on: project,
    can: 'secureFile.manage',
    serializes: 'project',
    input: {
      /** Name, unique in the project: 1 to 255 characters, without `/` and line breaks. */
      name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255), v.regex(/^[^/\\\p{Cc}]+$/u, 'is invalid')),
      /** The file, 1 byte to 5 MB. */
      file: v.strictObject({
        /** Name on the machine of the client; not stored. */
        fileName: v.string(),
        /** The bytes of the file. */
        content: v.instance(Uint8Array),
      }),
    },
    async run(ctx, { name, file }, { project: { id: projectId } }) {
      const size = file.content.byteLength
      if (size === 0) throw invalid({ file: ['is empty'] })
      if (size > maxBytes) throw invalid({ file: [`is too big (maximum is ${maxMegabytes} MB)`] })
      await assertNewName(ctx, projectId, name)
      const storageKey = await reserveFile(ctx, uploadPrefix(projectId))
      const { ports, now: createdAt } = ctx
      return afterTransaction(async ({ write }) => {
        const { sha256 } = await writeFile({ ports }, storageKey, file.content)
        return write(async (ctx): Promise<SecureFile> => {
          await recordFile(ctx, storageKey)
          await assertNewName(ctx, projectId, name)
          const row = await ctx.db
            .insertInto('secureFile')
            .values({ projectId, name, size, storageKey, sha256, createdAt } satisfies CompleteRow<'secureFile'>)
            .returning('id')
            .executeTakeFirstOrThrow()
          return { id: row.id, name, checksum: sha256, createdAt }
        })
      })
    },
  }),

  /** Removes a secure file. */
  remove: command({
    on: project,
    can: 'secureFile.manage',
    serializes: 'project',
    input: fileReference,
    async run(ctx, { secureFile }, { project }) {
      const { id, storageKey } = await getStoredFile(ctx, project.id, secureFile)
      await assertRowUnmodified(ctx, 'secureFile', id)
      await ctx.db.deleteFrom('secureFile').where('id', '=', id).execute()
      // After the commit, so that a rollback loses nothing.
      await ctx.enqueue('uploads.removeFile', { storageKey })
    },
  }),
}
