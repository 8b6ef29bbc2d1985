import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { sealChanged } from '../../../ports/secrets.ts'
import type { PipelineVariable } from '../pipelines/variables.ts'

const getSecretContext = (scheduleId: number) => `pipeline-schedule.${scheduleId}.variables`

const findSealed = async ({ db }: Pick<Context, 'db'>, scheduleId: number): Promise<string | null> => {
  const schedules = db.selectFrom('pipelineSchedule').where('id', '=', scheduleId)
  return (await schedules.select('sealedVariables').executeTakeFirst())?.sealedVariables ?? null
}

/** The variables of the pipelines of a schedule, in the order of their creation. */
export const readScheduleVariables = async (
  ctx: Pick<Context, 'db' | 'ports'>,
  scheduleId: number,
): Promise<readonly PipelineVariable[]> => {
  const sealed = await findSealed(ctx, scheduleId)
  return sealed === null ? [] : JSON.parse(ctx.ports.secrets.open(sealed, getSecretContext(scheduleId)))
}

/** Variables can contain secrets. */
export const writeScheduleVariables = async (
  ctx: Context,
  scheduleId: number,
  variables: readonly PipelineVariable[],
): Promise<void> => {
  const text = variables.length ? JSON.stringify(variables) : null
  const stored = await findSealed(ctx, scheduleId)
  const sealedVariables = text && sealChanged(ctx.ports.secrets, stored, text, getSecretContext(scheduleId))
  await updateChanged(ctx, 'pipelineSchedule', scheduleId, { sealedVariables })
}
