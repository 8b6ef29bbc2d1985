import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Project } from '../../../contract/project.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import type { Pipeline, PipelineRecord } from '../../code/pipeline-records/pipeline.ts'
import { completePipelines } from '../../code/pipeline-records/queries.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import { type inputChanges, maxInputs } from '../pipelines/pipeline-input.ts'
import { assertMayRunOn } from '../pipelines/reference-permission.ts'
import { newScheduleEntries, scheduleChangeEntries } from './inputs.ts'
import { scheduleNextRun } from './mutations.ts'
import {
  completeSchedule,
  completeSchedules,
  findSchedule,
  selectScheduledPipelines,
  selectSchedules,
} from './queries.ts'
import { createScheduledPipeline } from './run.ts'
import type { PipelineSchedule, PipelineScheduleRecord } from './schedule.ts'
import type { ScheduleInput } from './schedule-input.ts'
import { pipelineSchedule } from './subject.ts'

/** The greatest number of schedules of a project, as in GitLab. */
const maxSchedules = 10

const assertBelowLimit = async ({ db }: Context, projectId: number) => {
  const { count } = await db
    .selectFrom('pipelineSchedule')
    .where('projectId', '=', projectId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxSchedules)
    throw invalid({ base: [`Maximum number of ci pipeline schedules (${maxSchedules}) exceeded`] })
}

/** @throws PlatformError `invalid` if the branch is protected against the current user */
const assertMaySchedule = async (ctx: Context, project: Project, ref: string) => {
  const isTag = ref.startsWith('refs/tags/')
  await assertMayRunOn(ctx, project, { name: ref.replace(/^refs\/(?:heads|tags)\//, ''), isTag })
}

/** @throws PlatformError `invalid` for an input without a value, and for too many inputs */
const changeInputs = (
  before: readonly ScheduleInput[],
  changes: v.InferOutput<typeof inputChanges>,
): readonly ScheduleInput[] => {
  const values = new Map(before.map(({ name, value }) => [name, value]))
  for (const { name, value, destroy } of changes)
    if (destroy) values.delete(name)
    else if (value === undefined) throw invalid({ inputs: [`value of ${name} is missing`] })
    else values.set(name, value)
  if (values.size > maxInputs) throw invalid({ inputs: [`exceed the limit of ${maxInputs}`] })
  return [...values].map(([name, value]) => ({ name, value }))
}

/** Schedules that create pipelines of a project at recurring times. */
export const pipelineSchedules = {
  /** Lists the schedules of a project, by id. */
  list: query({
    on: project,
    can: 'pipelineSchedule.list',
    input: {
      ...pagingEntries,
      /** `active` or `inactive` ones only. Default: all. */
      scope: v.optional(v.picklist(['active', 'inactive'])),
    },
    async run(ctx, { scope, ...paging }, { project }): Promise<Page<PipelineSchedule>> {
      const all = selectSchedules(ctx).where('projectId', '=', project.id)
      const rows = scope === undefined ? all : all.where('active', '=', scope === 'active')
      const page = await paginate(rows.orderBy('id'), paging, (row): PipelineScheduleRecord => row)
      return { ...page, items: await completeSchedules(ctx, page.items) }
    },
  }),

  /** Gets a schedule of a project, with its variables for those who may change it. */
  get: query({
    on: pipelineSchedule,
    can: 'pipelineSchedule.read',
    input: {},
    run: (ctx, _input, subject) => completeSchedule(ctx, subject),
  }),

  /** Lists the pipelines that a schedule has created, oldest first. */
  listPipelines: query({
    on: pipelineSchedule,
    can: 'pipelineSchedule.read',
    input: pagingEntries,
    async run(ctx, paging, { schedule }): Promise<Page<Pipeline>> {
      const rows = selectScheduledPipelines(ctx, schedule).orderBy('pipeline.id')
      const page = await paginate(rows, paging, (row): PipelineRecord => row)
      return { ...page, items: await completePipelines(ctx, page.items) }
    },
  }),

  /**
   * Creates a schedule. The current user is its owner. A job creates its pipelines when they are due, with the permissions of the owner.
   *
   * @throws PlatformError `invalid` for a `cron` or `cronTimezone` that is not valid, and for more than 10 schedules
   */
  create: command({
    on: project,
    can: 'pipelineSchedule.create',
    serializes: 'project',
    input: {
      ...newScheduleEntries,
      /** Id or username of the owner; only the host sets it. Default: the current user. */
      owner: v.optional(IdOrName),
    },
    async run(ctx, { owner, ...fields }, { project, access }) {
      await assertBelowLimit(ctx, project.id)
      await assertMaySchedule(ctx, project, fields.ref)
      const values = {
        ...fields,
        projectId: project.id,
        ownerId: await resolveAuthorId(ctx, owner),
        nextRunAt: null,
        sealedVariables: null,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      } satisfies CompleteRow<'pipelineSchedule'>
      const row = await ctx.db.insertInto('pipelineSchedule').values(values).returning('id').executeTakeFirstOrThrow()
      const schedule = { ...values, id: row.id }
      await scheduleNextRun(ctx, schedule)
      return completeSchedule(ctx, { kind: 'pipelineSchedule', project, access, schedule })
    },
  }),

  /**
   * Changes a schedule; omitted fields keep their values. Only its owner can: it runs with the permissions of the owner. Others
   * take ownership before.
   *
   * @throws PlatformError `invalid` for a `cron` or `cronTimezone` that is not valid
   */
  update: command({
    on: pipelineSchedule,
    can: 'pipelineSchedule.change',
    serializes: 'project',
    input: scheduleChangeEntries,
    async run(ctx, { inputs: changes, ...fields }, subject) {
      const { id, inputs: before } = subject.schedule
      if (fields.ref !== undefined) await assertMaySchedule(ctx, subject.project, fields.ref)
      const inputs = changes && changeInputs(before, changes)
      if (await updateChanged(ctx, 'pipelineSchedule', id, { ...fields, inputs }))
        await scheduleNextRun(ctx, defined(await findSchedule(ctx, id)))
      return completeSchedule(ctx, subject)
    },
  }),

  /** Makes the current user the owner of a schedule. */
  takeOwnership: command({
    on: pipelineSchedule,
    can: 'pipelineSchedule.takeOwnership',
    serializes: 'project',
    input: {
      /** Id or username of the new owner; only the host sets it. Default: the current user. */
      owner: v.optional(IdOrName),
    },
    async run(ctx, { owner }, subject) {
      const ownerId = await resolveAuthorId(ctx, owner)
      await updateChanged(ctx, 'pipelineSchedule', subject.schedule.id, { ownerId })
      return completeSchedule(ctx, subject)
    },
  }),

  /**
   * Creates a pipeline of a schedule now, with the permissions of the current user. The next time does not change.
   *
   * @throws PlatformError `invalid` with the reason if there is no such ref, the file is missing or not valid, or its rules leave no
   * job
   */
  run: command({
    on: pipelineSchedule,
    can: 'pipelineSchedule.run',
    serializes: 'project',
    input: {},
    run: (ctx, _input, subject) => createScheduledPipeline(ctx, subject),
  }),

  /** Removes a schedule. Its pipelines remain. */
  remove: command({
    on: pipelineSchedule,
    can: 'pipelineSchedule.remove',
    serializes: 'project',
    input: {},
    async run(ctx, _input, { schedule }) {
      await assertRowUnmodified(ctx, 'pipelineSchedule', schedule.id)
      await ctx.db.deleteFrom('pipelineSchedule').where('id', '=', schedule.id).execute()
    },
  }),
}
