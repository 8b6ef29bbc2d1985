import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { invalid } from '../../../kernel/errors.ts'
import { Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command } from '../../../kernel/operation.ts'
import { toSafeFileName } from '../../../shared/safe-file-name.ts'
import { findJob, findPipeline } from '../../code/pipeline-records/queries.ts'
import { pipelineStatuses } from '../../code/pipeline-records/status.ts'
import { recordFile, reserveFile, uploadPrefix, writeFile } from '../../collaboration/uploads/upload-file.ts'
import { withStatus } from '../pipelines/job-times.ts'
import { changeJob, settleJobs } from '../pipelines/mutations.ts'
import { computeArtifactsExpiry, removeArtifact } from './artifacts.ts'
import { describeJob } from './job-details.ts'
import { jobInput } from './job-input.ts'

/** Greatest length of a log in characters. */
const maxTraceLength = 4_000_000

/** The part of `pipelineJobs` with which the host reports results, logs and artifacts. */
export const jobResultOperations = {
  /** Reports the status of a job. Later jobs start, and the status of the pipeline changes, as follows from it. */
  update: command({
    on: project,
    can: 'pipeline.record',
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
      return describeJob(ctx, subject, await findJob(ctx, subject.project.id, id))
    },
  }),

  /**
   * Writes the log of a job.
   *
   * @throws PlatformError `invalid` for a log of more than 4,000,000 characters
   */
  writeTrace: command({
    on: project,
    can: 'pipeline.record',
    serializes: 'project',
    input: {
      ...jobInput,
      /** Text of the log. */
      content: v.pipe(v.string(), v.maxLength(maxTraceLength)),
      /** Whether the text is added at the end of the log. Default: false, it replaces the log. */
      append: v.optional(v.boolean(), false),
    },
    async run(ctx, { job, content, append }, { project }) {
      const { id: jobId } = await findJob(ctx, project.id, job)
      const before = append
        ? await ctx.db.selectFrom('jobTrace').where('jobId', '=', jobId).select('content').executeTakeFirst()
        : undefined
      const trace = { content: (before?.content ?? '') + content }
      if (trace.content.length > maxTraceLength)
        throw invalid({ content: [`is too long (maximum is ${maxTraceLength} characters)`] })
      await ctx.db
        .insertInto('jobTrace')
        .values({ jobId, ...trace } satisfies CompleteRow<'jobTrace'>)
        .onConflict((conflict) => conflict.column('jobId').doUpdateSet(trace))
        .execute()
    },
  }),

  /** Stores the archive of the artifacts of a job, which replaces an earlier one. */
  storeArtifacts: command({
    on: project,
    can: 'pipeline.record',
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
      /**
       * When the artifacts expire, and are removed; ISO 8601, UTC without an offset. Null for never. Default: `artifacts:expire_in` of
       * the job, or the setting `defaultArtifactsExpireIn`.
       */
      expiresAt: v.optional(v.nullable(Instant)),
    },
    async run(ctx, { job, file, expiresAt }, subject) {
      const record = await findJob(ctx, subject.project.id, job)
      const { id: jobId } = record
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
                  ? await computeArtifactsExpiry(later, record)
                  : expiresAt && normalizeInstant(expiresAt),
              createdAt: later.now,
            } satisfies CompleteRow<'jobArtifact'>)
            .execute()
        })
      })
    },
  }),
}
