import type { Readable } from 'node:stream'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { parseHumanDuration } from '../../../shared/human-duration.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import { readFile } from '../../collaboration/uploads/upload-file.ts'
import { readZipEntries, type ZipEntry } from './zip-archive.ts'

/** The content of the artifacts of a job. The stream must be consumed or destroyed. */
export interface JobArtifactContent {
  /** Name of the file, such as `artifacts.zip`. */
  fileName: string
  /** Size in bytes. */
  size: number
  /** The bytes of the file. */
  content: Readable
}

/** The artifacts that have not expired. */
export const selectArtifacts = ({ db, now }: Context) =>
  db.selectFrom('jobArtifact').where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))

/** @throws PlatformError `not_found` if the job has no artifacts, or they have expired */
export const findArtifact = async (ctx: Context, jobId: number) => {
  const row = await selectArtifacts(ctx)
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

/** Passes the entries of the archive of a job to `work`, after the transaction. Only the needed parts of the file are read. */
export const withArtifactEntries = async <T>(
  ctx: Context,
  jobId: number,
  work: (entries: AsyncIterable<ZipEntry>) => Promise<T>,
): Promise<Deferred<T>> => {
  const { size, storageKey } = await findArtifact(ctx, jobId)
  const { ports, call } = ctx
  return afterTransaction(() =>
    work(readZipEntries({ size, read: (range) => readFile({ ports, call }, storageKey, range) })),
  )
}

/** Removes the artifacts of a job, if it has any. The file is removed after the commit, so that a rollback loses nothing. */
export const removeArtifact = async (ctx: Context, jobId: number): Promise<void> => {
  const removed = await ctx.db.deleteFrom('jobArtifact').where('jobId', '=', jobId).returning('storageKey').execute()
  for (const { storageKey } of removed) await ctx.enqueue('uploads.removeFile', { storageKey })
}

/** Seconds of a hundred years. */
const maxLifetime = 3_155_760_000

/** When artifacts expire that are stored now: as the job says, or else the instance. Null for never. */
export const computeArtifactsExpiry = async (
  ctx: Context,
  { artifactsExpireIn }: Pick<PipelineJobRecord, 'artifactsExpireIn'>,
): Promise<string | null> => {
  if (artifactsExpireIn === 'never') return null
  const own = parseHumanDuration(artifactsExpireIn ?? '')
  const seconds = own ?? parseHumanDuration((await getSettings(ctx)).defaultArtifactsExpireIn ?? '') ?? 0
  return seconds === 0 ? null : addSeconds(ctx.now, Math.min(seconds, maxLifetime))
}
