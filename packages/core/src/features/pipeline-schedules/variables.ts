import type { Context } from '../../kernel/context.ts'
import type { PipelineVariable } from '../pipelines/variables.ts'

const getSecretContext = (scheduleId: number) => `pipeline-schedule.${scheduleId}.variables`

/** The variables of the pipelines of a schedule, in the order of their creation. */
export const readScheduleVariables = async (
  { db, ports }: Pick<Context, 'db' | 'ports'>,
  scheduleId: number,
): Promise<readonly PipelineVariable[]> => {
  const row = await db
    .selectFrom('pipelineSchedule')
    .where('id', '=', scheduleId)
    .select('sealedVariables')
    .executeTakeFirst()
  const sealed = row?.sealedVariables ?? null
  return sealed === null ? [] : JSON.parse(ports.secrets.open(sealed, getSecretContext(scheduleId)))
}

/** Variables can contain secrets. */
export const writeScheduleVariables = async (
  { db, ports, now }: Context,
  scheduleId: number,
  variables: readonly PipelineVariable[],
): Promise<void> => {
  const sealedVariables = variables.length
    ? ports.secrets.seal(JSON.stringify(variables), getSecretContext(scheduleId))
    : null
  await db
    .updateTable('pipelineSchedule')
    .set({ sealedVariables, updatedAt: now })
    .where('id', '=', scheduleId)
    .execute()
}
