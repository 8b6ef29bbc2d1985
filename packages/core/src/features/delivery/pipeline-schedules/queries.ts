import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import type { PipelineRecord } from '../../code/pipeline-records/pipeline.ts'
import { completePipelines, selectPipelines } from '../../code/pipeline-records/queries.ts'
import type { PipelineSchedule, PipelineScheduleDetails, PipelineScheduleRecord } from './schedule.ts'
import { readScheduleVariables } from './variables.ts'

const columns = [
  'id',
  'projectId',
  'ownerId',
  'description',
  'ref',
  'cron',
  'cronTimezone',
  'active',
  'inputs',
  'nextRunAt',
  'createdAt',
  'updatedAt',
] as const

export const selectSchedules = ({ db }: Pick<Context, 'db'>) => db.selectFrom('pipelineSchedule').select(columns)

export const findSchedule = (ctx: Pick<Context, 'db'>, id: number): Promise<PipelineScheduleRecord | undefined> =>
  selectSchedules(ctx).where('id', '=', id).executeTakeFirst()

/** Adds the owners. */
export const completeSchedules = async (
  ctx: Context,
  records: readonly PipelineScheduleRecord[],
): Promise<PipelineSchedule[]> => {
  const owners = await userSummaries(
    ctx,
    records.map(({ ownerId }) => ownerId),
  )
  return records.map(({ projectId: _project, ownerId, ...record }) => ({
    ...record,
    owner: owners.get(ownerId ?? 0) ?? null,
  }))
}

/** The pipelines that a schedule has created, unordered. */
export const selectScheduledPipelines = (ctx: Context, { id, projectId }: PipelineScheduleRecord) =>
  selectPipelines(ctx, projectId)
    .innerJoin('pipelineScheduleRun', 'pipelineScheduleRun.pipelineId', 'pipeline.id')
    .where('pipelineScheduleRun.scheduleId', '=', id)

const findLastPipeline = async (ctx: Context, schedule: PipelineScheduleRecord) => {
  const record: PipelineRecord | undefined = await selectScheduledPipelines(ctx, schedule)
    .orderBy('pipeline.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return record ? ((await completePipelines(ctx, [record]))[0] ?? null) : null
}

/** A schedule as its page shows it. */
export const completeSchedule = async (
  ctx: Context,
  subject: Subjects['pipelineSchedule'],
): Promise<PipelineScheduleDetails> => {
  const { id, ...before } = subject.schedule
  const record = (await findSchedule(ctx, id)) ?? { id, ...before }
  const [schedule] = await completeSchedules(ctx, [record])
  const mayReadVariables = hasAbility(ctx.actor, { ...subject, schedule: record }, 'pipelineSchedule.readVariables')
  return {
    ...defined(schedule),
    lastPipeline: await findLastPipeline(ctx, record),
    variables: mayReadVariables ? await readScheduleVariables(ctx, id) : [],
  }
}
