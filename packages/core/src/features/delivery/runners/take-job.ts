import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findActiveActor } from '../../../access/authenticate.ts'
import { findProject } from '../../../access/projects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { constantText } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { addSeconds, limitDelay } from '../../../kernel/jobs/times.ts'
import { findPipeline } from '../../code/pipeline-records/queries.ts'
import { withDefaultSettings } from '../../spaces/projects/settings.ts'
import { readTimeoutKey } from '../ci-config/job-keys.ts'
import { insertJobToken } from '../pipeline-jobs/job-token.ts'
import { withStatus } from '../pipelines/job-times.ts'
import { changeJob, settleJobs } from '../pipelines/mutations.ts'
import { isProtectedName } from '../pipelines/plan-inputs.ts'
import { readTags } from './queries.ts'

/** What a runner may take. */
interface RunnerLimits {
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

/** Seconds after the timeout of a job in which its runner can still report it. */
const grace = 60

const pageSize = 100
const maxPages = 20

/** @param projectId the only project whose jobs are searched; all of the runner without it */
const findJob = async (ctx: Context, runner: RunnerLimits, projectId?: number): Promise<PendingJob | undefined> => {
  const pending = selectPending(ctx, runner)
  const candidates = projectId === undefined ? pending : pending.where('job.projectId', '=', projectId)
  let after = 0
  for (let page = 0; page < maxPages; page++) {
    const rows = await candidates.where('job.id', '>', after).orderBy('job.id').limit(pageSize).execute()
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
  /** Most seconds of the job. */
  readonly timeout: number
}

/** The outcome of a search: `lost` if other runners took the found job and all others of its project at the same time. */
type Search = TakenJob | 'none' | 'lost'

const readRunner = async (ctx: Context, id: number) => {
  const row = await ctx.db
    .selectFrom('runner')
    .where('id', '=', id)
    .select(['id', 'runnerType', 'groupId', 'paused', 'runUntagged', 'accessLevel', 'maximumTimeout'])
    .executeTakeFirstOrThrow()
  return { ...row, tags: await readTags(ctx, id) }
}

/** Most seconds of a job: as the job or else the project says, and not more than the runner permits. */
const readTimeout = async (ctx: Context, { id, settings }: PendingJob, ofRunner: number | null): Promise<number> => {
  const job = ctx.db.selectFrom('pipelineJob').where('id', '=', id)
  const { definition } = await job.select('definition').executeTakeFirstOrThrow()
  const ofJob = readTimeoutKey(definition?.keys.timeout) ?? withDefaultSettings(settings).buildTimeout
  return Math.min(ofJob, ofRunner ?? ofJob)
}

/**
 * Takes the oldest job that fits a runner: it runs afterwards. Jobs that may not run any longer fail and are skipped. Finds a job without a lock,
 * and searches its project again under the lock of the project, so that runners of other projects do not wait.
 */
export const takeJob = async (ctx: Context, runnerId: number): Promise<Search> => {
  const { paused, maximumTimeout, ...runner } = await readRunner(ctx, runnerId)
  const candidate = paused ? undefined : await findJob(ctx, runner)
  if (candidate === undefined) return 'none'
  const { projectId } = candidate
  const project = await findProject(ctx, projectId)
  if (project === undefined) return 'lost'
  await ctx.lockContainer({ kind: 'project', id: projectId, fullPath: project.fullPath })
  const job = await findJob(ctx, runner, projectId)
  if (job === undefined) return 'lost'
  const { id, pipelineId } = job
  const user = await findActiveActor(ctx, job.userId ?? 0)
  let isTaken = false
  await settleJobs(ctx, await findPipeline(ctx, projectId, pipelineId), (jobs, barriers) => {
    const barrier = barriers.get(id)
    // Its environment can have been protected, or deployed to, since the job was started. Approvals were given before that.
    const found = barrier === undefined || barrier === 'approval' ? undefined : barrier.failureReason
    const failureReason = user ? found : 'user_blocked'
    isTaken = failureReason === undefined
    const change = changeJob(id, (record) =>
      failureReason === undefined
        ? { ...withStatus(record, 'running', ctx.now), runnerId }
        : withStatus({ ...record, failureReason }, 'failed', ctx.now),
    )
    return change(jobs, barriers)
  })
  if (user === undefined || !isTaken) return 'lost'
  const access = await getProjectAccessLevel(ctx.actAs(user), project)
  const timeout = await readTimeout(ctx, job, maximumTimeout)
  const dueAt = addSeconds(ctx.now, timeout + grace)
  await ctx.enqueue('runners.failSilentJob', { projectId, job: id, dueAt }, { runAfter: limitDelay(ctx.now, dueAt) })
  const subject = { kind: 'project', project: { ...project }, access } as const
  return { id, token: await insertJobToken(ctx, id), subject, user, timeout }
}
