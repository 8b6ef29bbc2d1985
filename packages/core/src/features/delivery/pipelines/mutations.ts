import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { nextInternalId } from '../../../kernel/internal-id.ts'
import { limitDelay } from '../../../kernel/jobs/times.ts'
import { defined } from '../../../shared/defined.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import type { JobDefinition } from '../../code/pipeline-records/job-definition.ts'
import type { CancellationPolicy, Pipeline, PipelineRecord } from '../../code/pipeline-records/pipeline.ts'
import { completeJobs, completePipelines, findPipeline, selectJobs } from '../../code/pipeline-records/queries.ts'
import { composeStatus, isFinal } from '../../code/pipeline-records/status.ts'
import { findStartBarriers } from './start-barriers.ts'
import { type StartBarriers, startReadyJobs } from './start-jobs.ts'
import { type PipelineVariable, sealVariables } from './variables.ts'

/** The part of a new pipeline that its creator decides. */
export type NewPipeline = Pick<PipelineRecord, 'projectId' | 'ref' | 'sha' | 'source' | 'userId'> &
  Partial<Pick<PipelineRecord, 'tag' | 'beforeSha' | 'status' | 'name' | 'yamlErrors' | 'mergeRequestId'>> & {
    readonly variables?: readonly PipelineVariable[]
    readonly creationKey?: string | null
    readonly upstreamJobId?: number | null
    readonly rootPipelineId?: number | null
    readonly onNewCommit?: CancellationPolicy | null
  }

/** The part of a new job that its creator decides. */
export type NewJob = Pick<PipelineJobRecord, 'name' | 'stage' | 'stageIndex'> &
  Partial<Omit<PipelineJobRecord, 'id' | 'projectId' | 'pipelineId' | 'retried' | 'erasedAt'>> & {
    readonly definition?: JobDefinition | null
    readonly sealedVariables?: string | null
  }

/** Inserts a pipeline without jobs. It becomes visible to others with `settleJobs`. */
export const insertPipeline = async (ctx: Context, pipeline: NewPipeline): Promise<PipelineRecord> => {
  const { variables = [], creationKey = null, onNewCommit = null, ...others } = pipeline
  const { upstreamJobId = null, rootPipelineId = null, ...fields } = others
  const iid = await nextInternalId(ctx, 'pipeline', fields.projectId)
  const values = {
    tag: false,
    beforeSha: null,
    status: 'created' as const,
    name: null,
    yamlErrors: null,
    mergeRequestId: null,
    ...fields,
    iid,
    coverage: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    startedAt: null,
    finishedAt: null,
  }
  const row = await ctx.db
    .insertInto('pipeline')
    .values({
      ...values,
      sealedVariables: sealVariables(ctx, values, variables),
      creationKey,
      onNewCommit,
      upstreamJobId,
      rootPipelineId,
    } satisfies CompleteRow<'pipeline'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...values, id: row.id }
}

/** Inserts jobs of a pipeline, in the order of the list. */
export const insertJobs = async (
  ctx: Context,
  { id: pipelineId, projectId, userId }: PipelineRecord,
  jobs: readonly NewJob[],
): Promise<void> => {
  for (const job of jobs)
    await ctx.db
      .insertInto('pipelineJob')
      .values({
        kind: 'build',
        status: 'created',
        startsWhen: 'on_success',
        startIn: null,
        scheduledAt: null,
        artifactsExpireIn: null,
        allowFailure: false,
        interruptible: false,
        needs: null,
        tags: [],
        trigger: null,
        environment: null,
        environmentOptions: null,
        coverage: null,
        failureReason: null,
        description: null,
        targetUrl: null,
        definition: null,
        sealedVariables: null,
        userId,
        createdAt: ctx.now,
        queuedAt: null,
        startedAt: null,
        finishedAt: null,
        ...job,
        projectId,
        pipelineId,
        retried: false,
        runnerId: null,
        erasedAt: null,
      } satisfies CompleteRow<'pipelineJob'>)
      .execute()
}

const writeJob = async (ctx: Context, job: PipelineJobRecord) => {
  const { status, coverage, failureReason, description, targetUrl, userId, runnerId } = job
  const { scheduledAt, queuedAt, startedAt, finishedAt } = job
  await ctx.db
    .updateTable('pipelineJob')
    .set({ status, coverage, failureReason, description, targetUrl, userId, runnerId })
    .set({ scheduledAt, queuedAt, startedAt, finishedAt })
    .where('id', '=', job.id)
    .execute()
}

/** Queues the start of a delayed job. */
export const enqueueDelayedStart = (
  ctx: Context,
  job: { readonly projectId: number; readonly job: number },
  dueAt: string,
): Promise<void> => ctx.enqueue('pipelines.startDelayed', job, { runAfter: limitDelay(ctx.now, dueAt) })

const average = (values: readonly number[]) =>
  values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null

const earliest = (times: readonly (string | null)[]) => times.filter((time) => time !== null).toSorted()[0] ?? null

/** The fields of a pipeline that follow from its jobs. */
const summarizeJobs = (record: PipelineRecord, jobs: readonly PipelineJobRecord[], now: string) => {
  const status = composeStatus(jobs) ?? record.status
  const ends = jobs.flatMap(({ finishedAt }) => finishedAt ?? []).toSorted()
  return {
    status,
    coverage: average(jobs.flatMap(({ coverage }) => coverage ?? [])),
    startedAt: record.startedAt ?? earliest(jobs.map(({ startedAt }) => startedAt)),
    finishedAt: isFinal(status) && status !== 'skipped' ? (ends.at(-1) ?? record.finishedAt ?? now) : null,
  }
}

/**
 * Returns the jobs of a pipeline after a change, in the same order; unchanged ones are the same objects. `barriers`: why jobs fail
 * when they start.
 */
export type JobsChange = (jobs: readonly PipelineJobRecord[], barriers: StartBarriers) => readonly PipelineJobRecord[]

/** Changes one job. */
export const changeJob =
  (id: number, change: (job: PipelineJobRecord) => PipelineJobRecord): JobsChange =>
  (jobs) =>
    jobs.map((job) => (job.id === id ? change(job) : job))

const announce = async (
  ctx: Context,
  { before, record }: { readonly before: PipelineRecord | undefined; readonly record: PipelineRecord },
  jobs: readonly (readonly [PipelineJobRecord | undefined, PipelineJobRecord])[],
): Promise<Pipeline> => {
  const changed = jobs.filter(([earlier, { status }]) => earlier?.status !== status)
  const completed = await completeJobs(
    ctx,
    changed.map(([, job]) => job),
  )
  for (const [at, job] of completed.entries())
    await ctx.emit('pipelineJob.changed', { job, before: changed[at]?.[0]?.status ?? null })
  const [pipeline] = await completePipelines(ctx, [record])
  if (before?.status !== record.status)
    await ctx.emit('pipeline.changed', { pipeline: defined(pipeline), before: before?.status ?? null })
  return defined(pipeline)
}

/**
 * Changes jobs of a pipeline, starts those that no longer wait for others, derives the status of the pipeline, and emits the
 * changes. `isNew`: the pipeline was inserted in this transaction.
 */
export const settleJobs = async (
  ctx: Context,
  record: PipelineRecord,
  change: JobsChange = (jobs) => jobs,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<Pipeline> => {
  const stored = await selectJobs(ctx, record.projectId)
    .where('pipelineId', '=', record.id)
    .where('retried', '=', false)
    .orderBy('id')
    .execute()
  const barriers = await findStartBarriers(ctx, record.projectId, stored)
  const jobs = startReadyJobs(change(stored, barriers), ctx.now, barriers)
  const changed = jobs.flatMap((job, at) => (job === stored[at] ? [] : [job]))
  for (const job of changed) await writeJob(ctx, job)
  for (const { id, projectId, status, scheduledAt } of isNew ? jobs : changed)
    if (status === 'scheduled' && scheduledAt !== null)
      await enqueueDelayedStart(ctx, { projectId, job: id }, scheduledAt)
  const summary = summarizeJobs(record, jobs, ctx.now)
  await updateChanged(ctx, 'pipeline', record.id, summary)
  const after = await findPipeline(ctx, record.projectId, record.id)
  const pairs = jobs.map((job, at) => [isNew ? undefined : stored[at], job] as const)
  return announce(ctx, { before: isNew ? undefined : record, record: after }, pairs)
}

/** Marks all but the newest job of this name as retried. */
export const markRetried = async ({ db }: Context, pipelineId: number, name: string, newest: number): Promise<void> => {
  await db
    .updateTable('pipelineJob')
    .set({ retried: true })
    .where('pipelineId', '=', pipelineId)
    .where('name', '=', name)
    .where('id', '<>', newest)
    .execute()
}
