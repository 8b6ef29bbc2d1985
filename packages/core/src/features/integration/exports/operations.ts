import * as v from 'valibot'
import { container } from '../../../access/subjects.ts'
import type { Database } from '../../../contract/database.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { ProjectDescription } from '../../../kernel/text-limits.ts'
import { defined } from '../../../shared/defined.ts'
import { readFile } from '../../collaboration/uploads/upload-file.ts'
import { containerKey } from '../../spaces/members/queries.ts'
import type { ArchiveContent, ExportDetails } from '../archives/archive.ts'
import { findExport, readExportDetails } from '../archives/queries.ts'

const Upload = v.strictObject({
  /** Address that would receive the archive. */
  url: v.string(),
  /** Method of the request: `PUT` or `POST`. */
  httpMethod: v.optional(v.string(), 'PUT'),
})

type Request = Pick<Database['archiveExport'], 'userId' | 'description' | 'status' | 'error' | 'createdAt'>

/** Inserts the row of a project or a group, or starts again with the existing one, which keeps its archive. */
const storeRequest = async (
  ctx: Context,
  subject: Subjects['project'] | Subjects['group'],
  request: Request,
  existingId: number | undefined,
): Promise<number> => {
  if (existingId !== undefined) {
    await ctx.db.updateTable('archiveExport').set(request).where('id', '=', existingId).execute()
    return existingId
  }
  const file = { storageKey: null, size: null, finishedAt: null, expiresAt: null }
  const row = await ctx.db
    .insertInto('archiveExport')
    .values({ ...containerKey(subject), ...request, ...file } satisfies CompleteRow<'archiveExport'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Archives of projects and groups, which jobs create and which `imports` reads. */
export const exportOperations = {
  /**
   * Requests an archive of a project or a group. A job creates it; an older archive stays available until then. Has no effect while
   * an archive is being created.
   *
   * @throws PlatformError `invalid` if `upload` is set: archives are downloaded
   */
  create: command({
    on: container,
    can: 'archive.export',
    input: {
      /** Replaces the description of the project or the group in the archive. */
      description: v.optional(ProjectDescription),
      /** Not supported: a call with this field fails. */
      upload: v.optional(Upload),
    },
    async run(ctx, { description = null, upload }, subject): Promise<void> {
      if (upload) throw invalid({ upload: ['is not supported: download the archive instead'] })
      const existing = await findExport(ctx, subject)
      if (existing?.status === 'queued' || existing?.status === 'started') return
      const userId = ctx.actor.kind === 'user' ? ctx.actor.id : null
      const request = { userId, description, status: 'queued' as const, error: null, createdAt: ctx.now }
      const id = await storeRequest(ctx, subject, request, existing?.id)
      await ctx.enqueue('archives.export', { export: id }, { key: String(id) })
    },
  }),

  /** Gets the state of the last export. */
  get: query({
    on: container,
    can: 'archive.export',
    run: (ctx, _input, subject): Promise<ExportDetails> => readExportDetails(ctx, subject),
  }),

  /** Gets the newest archive. It is removed a day after its creation. */
  download: query({
    on: container,
    can: 'archive.export',
    async run(ctx, _input, subject) {
      const row = await findExport(ctx, subject)
      if (!row?.isDownloadable) throw notFound('')
      const { storageKey, size } = row
      const { fullPath } = subject.kind === 'project' ? subject.project : subject.group
      const { ports, call } = ctx
      return afterTransaction(
        async (): Promise<ArchiveContent> => ({
          fileName: `${fullPath.replaceAll('/', '_')}_export.tar.gz`,
          size: defined(size),
          content: await readFile({ ports, call }, defined(storageKey)),
        }),
      )
    },
  }),
}
