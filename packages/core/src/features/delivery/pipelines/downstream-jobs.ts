import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findActiveActor } from '../../../access/authenticate.ts'
import { findProject } from '../../../access/projects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, isPlatformError } from '../../../kernel/errors.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import type { JobTrigger, PipelineJobRecord } from '../../code/pipeline-records/job.ts'
import { findPipeline, selectJobs, selectPipelines } from '../../code/pipeline-records/queries.ts'
import type { PipelineStatus } from '../../code/pipeline-records/status.ts'
import { isFromFork } from '../../collaboration/merge-requests/merge-request.ts'
import { mergeRequestColumns } from '../../collaboration/merge-requests/queries.ts'
import { createInJob, isFinalError } from './create-in-job.ts'
import { createPipeline } from './create-pipeline.ts'
import { readLineage } from './downstream-lineage.ts'
import { withStatus } from './job-times.ts'
import { changeJob, settleJobs } from './mutations.ts'
import type { PipelineRequest } from './pipeline-request.ts'

type Bridge = PipelineJobRecord & { readonly trigger: JobTrigger }

/** A pipeline to create, or the failure reason of the job that would start it. */
type Downstream =
  | { readonly failure: string }
  | { readonly actor: Actor; readonly subject: Subjects['project']; readonly request: PipelineRequest }

const findBridge = async (
  ctx: Context,
  { projectId, job }: { readonly projectId: number; readonly job: number },
  status: PipelineStatus,
): Promise<Bridge | undefined> => {
  const record = await selectJobs(ctx, projectId).where('id', '=', job).executeTakeFirst()
  return record?.status === status && record.trigger !== null ? (record as Bridge) : undefined
}

const settleBridge = async (
  ctx: Context,
  { id, projectId, pipelineId }: Bridge,
  status: PipelineStatus,
  failureReason: string | null = null,
) => {
  const pipeline = await findPipeline(ctx, projectId, pipelineId)
  await settleJobs(
    ctx,
    pipeline,
    changeJob(id, (job) => withStatus({ ...job, failureReason }, status, ctx.now)),
  )
}

/** The job continues with the pipeline that it has started. */
const startBridge = async (ctx: Context, bridge: Bridge) => {
  const current = await findBridge(ctx, { projectId: bridge.projectId, job: bridge.id }, 'pending')
  if (current === undefined) throw conflict('The job has started already')
  await settleBridge(ctx, bridge, bridge.trigger.dependsOnResult ? 'running' : 'success')
}

/** The project of the pipeline, and the request of a child pipeline of the same commit. */
const readChild = async (ctx: Context, { projectId, pipelineId, trigger }: Bridge) => {
  const project = await findProject(ctx, projectId)
  const parent = await findPipeline(ctx, projectId, pipelineId)
  const mergeRequest =
    parent.mergeRequestId === null
      ? undefined
      : await ctx.db
          .selectFrom('mergeRequest')
          .where('id', '=', parent.mergeRequestId)
          .select(mergeRequestColumns)
          .executeTakeFirst()
  const name = mergeRequest?.sourceBranch ?? parent.ref
  const isForeign = mergeRequest !== undefined && isFromFork(mergeRequest) && mergeRequest.projectId === projectId
  const ref = isForeign ? parent.ref : `refs/${parent.tag ? 'tags' : 'heads'}/${name}`
  const config = trigger.config ?? ''
  const shared = { sha: parent.sha, source: 'parent_pipeline', parentPipelineId: parent.id } as const
  return { project, request: { ref, mergeRequest, config, ...shared } }
}

const readDownstream = async (ctx: Context, bridge: Bridge): Promise<Downstream> => {
  const { trigger, userId } = bridge
  const user = userId === null ? undefined : await findActiveActor(ctx, userId)
  // Of a host or a removed user: only pipelines of the same project, with files that everyone can read.
  const actor: Actor = user ?? { kind: 'anonymous' }
  const child = trigger.project === null ? await readChild(ctx, bridge) : undefined
  const project = child ? child.project : await findProject(ctx, trigger.project ?? '')
  if (project === undefined) return { failure: 'downstream_bridge_project_not_found' }
  const subject = { kind: 'project', project, access: await getProjectAccessLevel(ctx.actAs(actor), project) } as const
  if (!child && !hasAbility(actor, subject, 'code.read')) return { failure: 'downstream_bridge_project_not_found' }
  if ((!child || user) && !hasAbility(actor, subject, 'pipeline.run'))
    return { failure: 'insufficient_bridge_permissions' }
  const row = await ctx.db
    .selectFrom('pipeline')
    .where('id', '=', bridge.pipelineId)
    .select(['id', 'rootPipelineId'])
    .executeTakeFirstOrThrow()
  const ref = trigger.ref ?? project.defaultBranch
  const { rootId, obstacle } = await readLineage(ctx, row, trigger, { projectId: project.id, ref })
  if (obstacle !== undefined) return { failure: obstacle }
  const variables = Object.entries(trigger.variables).map(([key, value]) => {
    return { key, value, variableType: 'env_var' as const }
  })
  const shared = {
    variables,
    inputs: trigger.inputs === null ? {} : JSON.parse(trigger.inputs),
    upstream: { upstreamJobId: bridge.id, rootPipelineId: rootId },
    onCreate: (later: Context) => startBridge(later, bridge),
  }
  return { actor, subject, request: { ref, source: 'pipeline', ...child?.request, ...shared } }
}

/** Creates the pipeline that a job starts, with the permissions of its user. The job fails with a reason if that is not possible. */
export const startDownstreamPipeline = defineJob('pipelines.startDownstream', {
  async run({ write }, key) {
    const fail = (reason: string) =>
      write(async (ctx) => {
        const bridge = await findBridge(ctx, key, 'pending')
        if (bridge) await settleBridge(ctx, bridge, 'failed', reason)
      })
    const downstream = await write(async (ctx) => {
      const bridge = await findBridge(ctx, key, 'pending')
      return bridge && readDownstream(ctx, bridge)
    })
    if (downstream === undefined) return
    if ('failure' in downstream) return fail(downstream.failure)
    const { actor, subject, request } = downstream
    try {
      await createInJob({ write }, actor, (ctx) => createPipeline(ctx, subject, request))
    } catch (error) {
      if (isPlatformError(error) && error.code === 'conflict') return
      if (!isFinalError(error)) throw error
      await fail('downstream_pipeline_creation_failed')
    }
  },
})

const results: Partial<Record<PipelineStatus, PipelineStatus>> = {
  success: 'success',
  canceled: 'canceled',
  failed: 'failed',
  skipped: 'failed',
}

/** Gives a job with `strategy: depend` the result of the pipeline that it has started. */
export const completeBridge = defineJob('pipelines.completeBridge', {
  async run({ write }, { projectId, pipeline: id }) {
    await write(async (ctx) => {
      const pipeline = await selectPipelines(ctx, projectId)
        .where('pipeline.id', '=', id)
        .innerJoin('pipelineJob', 'pipelineJob.id', 'pipeline.upstreamJobId')
        .select(['pipelineJob.id as job', 'pipelineJob.projectId as jobProjectId'])
        .executeTakeFirst()
      const result = pipeline && results[pipeline.status]
      if (!pipeline || result === undefined) return
      const bridge = await findBridge(ctx, { projectId: pipeline.jobProjectId, job: pipeline.job }, 'running')
      if (bridge?.trigger.dependsOnResult)
        await settleBridge(ctx, bridge, result, result === 'failed' ? 'unknown_failure' : null)
    })
  },
})
