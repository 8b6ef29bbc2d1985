import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Deferred } from '../../../kernel/deferred.ts'
import type { Pipeline } from '../../code/pipeline-records/pipeline.ts'
import { createPipeline } from '../pipelines/create-pipeline.ts'
import { readScheduleVariables } from './variables.ts'

/**
 * Creates a pipeline of a schedule as the actor of the context.
 *
 * @param onCreate runs in the transaction that creates the pipeline
 */
export const createScheduledPipeline = async (
  ctx: Context,
  { project, access, schedule }: Subjects['pipelineSchedule'],
  onCreate: (ctx: Context) => Promise<void> = async () => undefined,
): Promise<Deferred<Pipeline>> =>
  createPipeline(
    ctx,
    { kind: 'project', project, access },
    {
      ref: schedule.ref,
      source: 'schedule',
      variables: await readScheduleVariables(ctx, schedule.id),
      inputs: Object.fromEntries(schedule.inputs.map(({ name, value }) => [name, value])),
      async onCreate(ctx, { id: pipelineId }) {
        await ctx.db
          .insertInto('pipelineScheduleRun')
          .values({ scheduleId: schedule.id, pipelineId } satisfies CompleteRow<'pipelineScheduleRun'>)
          .execute()
        await onCreate(ctx)
      },
    },
  )
