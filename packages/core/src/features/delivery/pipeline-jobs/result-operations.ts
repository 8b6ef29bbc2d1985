import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { ByteStream, Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command } from '../../../kernel/operation.ts'
import { toSafeFileName } from '../../../shared/safe-file-name.ts'
import { findJob, findPipeline } from '../../code/pipeline-records/queries.ts'
import { pipelineStatuses } from '../../code/pipeline-records/status.ts'
import { recordFile, reserveFile, uploadPrefix, writeFile } from '../../collaboration/uploads/upload-file.ts'
import { storeScanningReport } from '../dependencies/scanning-report.ts'
import { withStatus } from '../pipelines/job-times.ts'
import { changeJob, settleJobs } from '../pipelines/mutations.ts'
import { computeArtifactsExpiry, removeArtifact } from './artifacts.ts'
import { assertArtifactsSize } from './artifacts-limit.ts'
import { describeJob } from './job-details.ts'
import { jobInput } from './job-input.ts'
import { reportedJob } from './reporter.ts'
import { maxTraceSize, tooLong, writeTracePiece } from './trace.ts'

/** @throws PlatformError `invalid` for too long a log */
const readBytes = async (content: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    if (size > maxTraceSize) throw tooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The part of `pipelineJobs` with which the host and runners report results, logs and artifacts. */
export const jobResultOperations = {
  /** Reports the status of a job. Later jobs start, and the status of the pipeline changes, as follows from it. */
  update: command({
    on: reportedJob,
    can: 'pipeline.record',
    scopesByKind: { runningJob: ['job_token'] },
    serializes: 'project',
    input: {
      ...jobInput,
      /** New status. Default: unchanged. */
      status: v.optional(v.picklist(pipelineStatuses)),
      /** Why the job failed. Default: `script_failure`. */
      failureReason: v.optional(v.pipe(v.string(), v.maxLength(255)), 'script_failure'),
      /** Test coverage in percent. Default: unchanged. */
      coverage: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
    },
    async run(ctx, { job, status, failureReason, coverage }, subject) {
      const { id, pipelineId } = await findJob(ctx, subject.project.id, job)
      const pipeline = await findPipeline(ctx, subject.project.id, pipelineId)
      await settleJobs(
        ctx,
        pipeline,
        changeJob(id, (record) => {
          const reason = status === 'failed' ? failureReason : record.failureReason
          const changed = { ...record, coverage: coverage ?? record.coverage, failureReason: reason }
          if (status !== undefined && status !== record.status) return withStatus(changed, status, ctx.now)
          return isDeepStrictEqual(changed, record) ? record : changed
        }),
      )
      return describeJob(ctx, { ...subject, kind: 'project' }, await findJob(ctx, subject.project.id, id))
    },
  }),

  /**
   * Writes the log of a job.
   *
   * @throws PlatformError `invalid` for a log of more than 4,000,000 bytes
   */
  writeTrace: command({
    on: reportedJob,
    can: 'pipeline.record',
    scopesByKind: { runningJob: ['job_token'] },
    serializes: 'project',
    input: {
      ...jobInput,
      /** Text of the log, or its bytes in UTF-8. */
      content: v.union([v.pipe(v.string(), v.maxLength(maxTraceSize)), ByteStream]),
      /** Whether the text is added at the end of the log. Default: false, it replaces the log. */
      append: v.optional(v.boolean(), false),
      /** Bytes of the log that remain before the text, with `append`. Default: all. */
      offset: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
    },
    async run(ctx, { job, content, append, offset }, { project }) {
      const { id: jobId, status } = await findJob(ctx, project.id, job)
      const write = async (later: Context, piece: Uint8Array) => ({
        /** Status of the job. */
        status,
        /** Size of the log in bytes. */
        size: await writeTracePiece(later, { jobId, content: piece, offset: append ? offset : 0 }),
      })
      if (typeof content === 'string') return write(ctx, Buffer.from(content))
      return afterTransaction(async (runner) => {
        const piece = await readBytes(content)
        return runner.write((later) => write(later, piece))
      })
    },
  }),

  /**
   * Stores the archive of the artifacts of a job, which replaces an earlier one. The vulnerabilities of a `dependency_scanning` report
   * of a job on the default branch appear in the list of dependencies. Uploads of other types are dropped.
   *
   * @throws PlatformError `invalid` for a report that cannot be read
   */
  storeArtifacts: command({
    on: reportedJob,
    can: 'pipeline.record',
    scopesByKind: { runningJob: ['job_token'] },
    serializes: 'project',
    input: {
      ...jobInput,
      /** The archive. */
      file: v.strictObject({
        /** Name of the file, such as `artifacts.zip`. Characters other than letters, digits and `.-_+` are replaced with `_`. */
        fileName: v.string(),
        /** The bytes of the file. */
        content: v.instance(Uint8Array),
      }),
      /** What the file is; `archive` (default), or another type of a runner, such as `junit`. */
      artifactType: v.optional(v.pipe(v.string(), v.maxLength(100)), 'archive'),
      /** How long the artifacts are kept, such as `1 week`, instead of `expiresAt`. */
      expireIn: v.optional(v.pipe(v.string(), v.maxLength(100))),
      /**
       * When the artifacts expire, and are removed; ISO 8601, UTC without an offset. Null for never. Default: `artifacts:expire_in` of
       * the job, or the setting `defaultArtifactsExpireIn`.
       */
      expiresAt: v.optional(v.nullable(Instant)),
    },
    async run(ctx, { job, file, expiresAt, expireIn, artifactType }, subject) {
      const record = await findJob(ctx, subject.project.id, job)
      const { id: jobId } = record
      if (artifactType === 'dependency_scanning') await storeScanningReport(ctx, subject, record, file.content)
      if (artifactType !== 'archive') return afterTransaction(async () => undefined)
      await assertArtifactsSize(ctx, subject.project, file.content.byteLength)
      const storageKey = await reserveFile(ctx, uploadPrefix(subject.project.id))
      const { ports } = ctx
      return afterTransaction(async ({ write }) => {
        const { sha256 } = await writeFile({ ports }, storageKey, file.content)
        return write(async (later) => {
          await recordFile(later, storageKey)
          await removeArtifact(later, jobId)
          await later.db
            .insertInto('jobArtifact')
            .values({
              jobId,
              storageKey,
              sha256,
              fileName: toSafeFileName(file.fileName),
              size: file.content.byteLength,
              expiresAt:
                expiresAt === undefined
                  ? await computeArtifactsExpiry(
                      later,
                      expireIn === undefined ? record : { artifactsExpireIn: expireIn },
                    )
                  : expiresAt && normalizeInstant(expiresAt),
              createdAt: later.now,
            } satisfies CompleteRow<'jobArtifact'>)
            .execute()
        })
      })
    },
  }),
}
