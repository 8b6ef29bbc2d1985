import type { Readable } from 'node:stream'
import type { Context } from '../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../kernel/deferred.ts'
import { notFound } from '../../kernel/errors.ts'
import { readFile } from '../uploads/upload-file.ts'

/** The content of the artifacts of a job. The stream must be consumed or destroyed. */
export interface JobArtifactContent {
  /** Name of the file, such as `artifacts.zip`. */
  fileName: string
  /** Size in bytes. */
  size: number
  /** The bytes of the file. */
  content: Readable
}

/** @throws PlatformError `not_found` if the job has no artifacts */
export const findArtifact = async ({ db }: Context, jobId: number) => {
  const row = await db
    .selectFrom('jobArtifact')
    .where('jobId', '=', jobId)
    .select(['id', 'fileName', 'size', 'storageKey', 'expiresAt'])
    .executeTakeFirst()
  if (row === undefined) throw notFound('')
  return row
}

/** The content of the artifacts of a job, read after the transaction. */
export const readArtifact = async (ctx: Context, jobId: number): Promise<Deferred<JobArtifactContent>> => {
  const { fileName, size, storageKey } = await findArtifact(ctx, jobId)
  const { ports, call } = ctx
  return afterTransaction(async () => ({ fileName, size, content: await readFile({ ports, call }, storageKey) }))
}

/** Removes the artifacts of a job, if it has any. The file is removed after the commit, so that a rollback loses nothing. */
export const removeArtifact = async (ctx: Context, jobId: number): Promise<void> => {
  const removed = await ctx.db.deleteFrom('jobArtifact').where('jobId', '=', jobId).returning('storageKey').execute()
  for (const { storageKey } of removed) await ctx.enqueue('uploads.removeFile', { storageKey })
}
