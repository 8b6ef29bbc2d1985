import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findActiveActor } from '../../../access/authenticate.ts'
import { findProject } from '../../../access/projects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { createInJob, isFinalError } from '../pipelines/create-in-job.ts'
import { enqueueRun, scheduleNextRun } from './mutations.ts'
import { findSchedule } from './queries.ts'
import { createScheduledPipeline } from './run.ts'
import type { PipelineScheduleRecord } from './schedule.ts'

interface DueRun {
  readonly owner: Actor
  readonly subject: Subjects['pipelineSchedule']
}

/** The schedule as its owner sees it; undefined if the owner may no longer run pipelines. */
const findDueRun = async (ctx: Context, schedule: PipelineScheduleRecord): Promise<DueRun | undefined> => {
  const owner = await findActiveActor(ctx, schedule.ownerId ?? 0)
  const project = await findProject(ctx, schedule.projectId)
  if (owner === undefined || project === undefined) return undefined
  const access = await getProjectAccessLevel(ctx.actAs(owner), project)
  const subject = { kind: 'pipelineSchedule', project, access, schedule } as const
  return hasAbility(owner, subject, 'pipelineSchedule.run') ? { owner, subject } : undefined
}

const deactivate = async ({ db, now }: Context, { id }: PipelineScheduleRecord) => {
  const set = { active: false, nextRunAt: null, updatedAt: now }
  await db.updateTable('pipelineSchedule').set(set).where('id', '=', id).execute()
}

/**
 * Creates the pipeline of a schedule that is due, and sets the next time in the same transaction. A pipeline that cannot be created
 * is left out. The schedule of an owner who may no longer run pipelines is deactivated.
 */
export const runSchedule = defineJob('pipelineSchedules.run', {
  concurrency: 4,
  async run({ write }, { schedule: id, dueAt }) {
    const readDue = async (ctx: Context) => {
      const schedule = await findSchedule(ctx, id)
      return schedule?.nextRunAt === dueAt ? schedule : undefined
    }
    const advance = async (ctx: Context) => {
      const schedule = await readDue(ctx)
      if (schedule) await scheduleNextRun(ctx, schedule)
    }
    const due = await write(async (ctx) => {
      const schedule = await readDue(ctx)
      if (schedule === undefined) return undefined
      if (dueAt > ctx.now) {
        await enqueueRun(ctx, id, dueAt)
        return undefined
      }
      const run = await findDueRun(ctx, schedule)
      if (run === undefined) await deactivate(ctx, schedule)
      return run
    })
    if (due === undefined) return
    const { owner, subject } = due
    try {
      await createInJob({ write }, owner, (ctx) => createScheduledPipeline(ctx, subject, advance))
    } catch (error) {
      if (!isFinalError(error)) throw error
      await write(advance)
    }
  },
})
