import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findActiveActor } from '../../../access/authenticate.ts'
import { findProject } from '../../../access/projects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { constantText } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { findPipeline } from '../../code/pipeline-records/queries.ts'
import { withDefaultSettings } from '../../spaces/projects/settings.ts'
import { insertJobToken } from '../pipeline-jobs/job-token.ts'
import { withStatus } from '../pipelines/job-times.ts'
import { changeJob, settleJobs } from '../pipelines/mutations.ts'
import { isProtectedName } from '../pipelines/plan-inputs.ts'

/** What a runner may take. */
export interface RunnerLimits {
  readonly id: number
  readonly runnerType: Subjects['runner']['runner']['runnerType']
  readonly groupId: number | null
  readonly runUntagged: boolean
  readonly accessLevel: 'not_protected' | 'ref_protected'
  readonly tags: readonly string[]
}

/** Pending jobs of pipeline files, oldest first, in the projects of a runner. Jobs that the host records run elsewhere. */
const selectPending = ({ db }: Context, { id, runnerType, groupId }: RunnerLimits) => {
  const rows = db
    .selectFrom('pipelineJob as job')
    .innerJoin('pipeline', 'pipeline.id', 'job.pipelineId')
    .innerJoin('project', 'project.id', 'job.projectId')
    .where('job.status', '=', constantText('pending'))
    .where('job.definition', 'is not', null)
    .where('job.userId', 'is not', null)
    .where('project.archived', '=', false)
    .where('project.pipelineReaders', '<>', 'nobody')
    .select(['job.id', 'job.projectId', 'job.pipelineId', 'job.userId', 'job.tags', 'project.settings'])
    .select(['pipeline.ref', 'pipeline.tag', 'pipeline.mergeRequestId'])
  if (runnerType === 'instance_type') return rows
  if (runnerType === 'group_type') {
    const tree = db
      .selectFrom('namespaceLineage')
      .where('ancestorId', '=', groupId ?? 0)
      .select('namespaceId')
    return rows.where('project.namespaceId', 'in', tree)
  }
  const projects = db.selectFrom('runnerProject').where('runnerId', '=', id).select('projectId')
  return rows.where('job.projectId', 'in', projects)
}

type PendingJob = Awaited<ReturnType<ReturnType<typeof selectPending>['executeTakeFirstOrThrow']>>

/** The setting of a project that permits runners of a type. */
const isEnabled = ({ settings }: PendingJob, { runnerType }: RunnerLimits) => {
  const { sharedRunnersEnabled, groupRunnersEnabled } = withDefaultSettings(settings)
  if (runnerType === 'instance_type') return sharedRunnersEnabled
  return runnerType === 'project_type' || groupRunnersEnabled
}

const fits = async (ctx: Context, job: PendingJob, runner: RunnerLimits) => {
  const isTagged = job.tags.length > 0
  if (isTagged ? !job.tags.every((tag) => runner.tags.includes(tag)) : !runner.runUntagged) return false
  if (!isEnabled(job, runner)) return false
  if (runner.accessLevel === 'not_protected') return true
  // The name of a branch of a fork can be that of a protected branch.
  if (job.mergeRequestId !== null) return false
  return isProtectedName(ctx, job.projectId, { name: job.ref, isTag: job.tag })
}

const pageSize = 100
const maxPages = 20

const findJob = async (ctx: Context, runner: RunnerLimits): Promise<PendingJob | undefined> => {
  let after = 0
  for (let page = 0; page < maxPages; page++) {
    const rows = await selectPending(ctx, runner)
      .where('job.id', '>', after)
      .orderBy('job.id')
      .limit(pageSize)
      .execute()
    for (const row of rows) if (await fits(ctx, row, runner)) return row
    if (rows.length < pageSize) return undefined
    after = rows.at(-1)?.id ?? after
  }
  return undefined
}

/** A job that a runner has taken, with its token and the user that it runs as. */
export interface TakenJob {
  readonly id: number
  readonly token: string
  readonly subject: Subjects['project']
  readonly user: NonNullable<Awaited<ReturnType<typeof findActiveActor>>>
}

/** Takes the oldest job that fits a runner: it runs afterwards. Undefined if there is none. Jobs of blocked users are skipped. */
export const takeJob = async (ctx: Context, runner: RunnerLimits): Promise<TakenJob | undefined> => {
  const job = await findJob(ctx, runner)
  if (job === undefined) return undefined
  const user = await findActiveActor(ctx, job.userId ?? 0)
  const project = await findProject(ctx, job.projectId)
  const pipeline = await findPipeline(ctx, job.projectId, job.pipelineId)
  const isStarted = user !== undefined && project !== undefined
  await settleJobs(
    ctx,
    pipeline,
    changeJob(job.id, (record) =>
      isStarted
        ? { ...withStatus(record, 'running', ctx.now), runnerId: runner.id }
        : withStatus({ ...record, failureReason: 'user_blocked' }, 'failed', ctx.now),
    ),
  )
  if (!isStarted) return takeJob(ctx, runner)
  const access = await getProjectAccessLevel(ctx.actAs(user), project)
  return {
    id: job.id,
    token: await insertJobToken(ctx, job.id),
    subject: { kind: 'project', project: { ...project }, access },
    user,
  }
}
