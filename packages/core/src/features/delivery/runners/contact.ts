import type { Context } from '../../../kernel/context.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { toInfoColumns } from './settings.ts'

/** Seconds in which further requests of a runner are not recorded, so that asking for jobs writes little. */
const precision = 60

/** Records that a runner has sent a request with its token. */
export const recordContact = async (
  ctx: Context,
  id: number,
  info: Readonly<Record<string, unknown>> = {},
): Promise<void> => {
  const columns = toInfoColumns(info)
  const { version } = columns
  await ctx.db
    .updateTable('runner')
    .set({ contactedAt: ctx.now, ipAddress: ctx.call.ipAddress ?? null, ...columns })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('contactedAt', 'is', null),
        eb('contactedAt', '<=', addSeconds(ctx.now, -precision)),
        ...(version === undefined ? [] : [eb('version', 'is distinct from', version)]),
      ]),
    )
    .execute()
}
