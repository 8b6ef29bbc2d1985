import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import type { PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import type { PipelineRecord } from '../../code/pipeline-records/pipeline.ts'
import { selectJobs, selectPipelines } from '../../code/pipeline-records/queries.ts'
import type { PipelineStatus } from '../../code/pipeline-records/status.ts'
import { withStatus } from '../pipelines/job-times.ts'
import { changeJob, insertJobs, insertPipeline, markRetried, settleJobs } from '../pipelines/mutations.ts'
import type { commitStatusStates } from './commit-status.ts'

/** Statuses of other systems follow all stages of the pipeline file. */
const externalStage = { stage: 'external', stageIndex: 1_000_000 } as const

/** A status as it was reported. */
export interface StatusReport {
  readonly sha: string
  readonly ref: string
  readonly isTag: boolean
  readonly name: string
  readonly state: (typeof commitStatusStates)[number]
  readonly userId: number | null
  readonly pipeline: number | undefined
  /** Undefined fields keep their values. */
  readonly fields: {
    readonly targetUrl?: string | undefined
    readonly description?: string | undefined
    readonly coverage?: number | undefined
  }
}

/** The pipeline that the report names, or the newest one of the commit and ref; created if there is none. */
const resolvePipeline = async (ctx: Context, { id: projectId }: Project, report: StatusReport) => {
  const { sha, ref, isTag, userId, pipeline } = report
  let rows = selectPipelines(ctx, projectId).where('sha', '=', sha).orderBy('id', 'desc').limit(1)
  rows = pipeline === undefined ? rows.where('ref', '=', ref) : rows.where('id', '=', pipeline)
  const record = await rows.executeTakeFirst()
  if (record !== undefined) return { record, isNew: false }
  if (pipeline !== undefined) throw notFound('Pipeline')
  return {
    record: await insertPipeline(ctx, { projectId, sha, ref, tag: isTag, source: 'external', userId }),
    isNew: true,
  }
}

/** A status of the same name and user that has no result yet; with a result, the next report begins a new one. */
const findUnfinished = (ctx: Context, { projectId, id }: PipelineRecord, { name, userId }: StatusReport) =>
  selectJobs(ctx, projectId)
    .where('pipelineId', '=', id)
    .where('kind', '=', 'external')
    .where('name', '=', name)
    .where('userId', userId === null ? 'is' : '=', userId)
    .where('retried', '=', false)
    .where('status', 'in', ['pending', 'running'])
    .executeTakeFirst()

const verbs = { pending: 'enqueue', running: 'run' } as const

/** The text is that of GitLab, which clients compare. */
const assertTransition = (from: PipelineStatus, to: StatusReport['state']) => {
  if ((to === 'pending' || to === 'running') && (from === to || (from === 'running' && to === 'pending')))
    throw invalid(
      `Cannot transition status via :${verbs[to]} from :${from} (Reason(s): Status cannot transition via "${verbs[to]}")`,
    )
}

const insertStatus = async (ctx: Context, pipeline: PipelineRecord, { name, userId }: StatusReport) => {
  await insertJobs(ctx, pipeline, [{ ...externalStage, kind: 'external', name, userId }])
  const row = await selectJobs(ctx, pipeline.projectId)
    .where('pipelineId', '=', pipeline.id)
    .where('name', '=', name)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await markRetried(ctx, pipeline.id, name, row.id)
  return row
}

const withFields = (job: PipelineJobRecord, fields: StatusReport['fields']): PipelineJobRecord => {
  const { targetUrl = job.targetUrl, description = job.description, coverage = job.coverage } = fields
  return { ...job, targetUrl, description, coverage }
}

/** Records a status in the pipeline of its commit and ref. Returns the job that represents it. */
export const reportStatus = async (ctx: Context, project: Project, report: StatusReport): Promise<number> => {
  const { record, isNew } = await resolvePipeline(ctx, project, report)
  const unfinished = await findUnfinished(ctx, record, report)
  if (unfinished) assertTransition(unfinished.status, report.state)
  const { id } = unfinished ?? (await insertStatus(ctx, record, report))
  const failure = report.state === 'failed' ? { failureReason: 'api_failure' } : {}
  await settleJobs(
    ctx,
    record,
    changeJob(id, (job) => withStatus({ ...withFields(job, report.fields), ...failure }, report.state, ctx.now)),
    { isNew },
  )
  return id
}
