import { today } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import type { Handle } from '../../../kernel/store.ts'
import { addDays } from '../../../shared/add-days.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { removeUserInSteps } from './remove-user.ts'

export const removeLargeUser = defineJob('users.remove', {
  run: (tools, { userId, hardDelete }) => removeUserInSteps(tools, userId, hardDelete),
})

/** Active users by the day of their last activity, or of their creation. The work of bots is not recorded. */
const selectByActivity = ({ db }: Pick<Handle, 'db'>) =>
  db.selectFrom('user').where('state', '=', 'active').where('bot', '=', false)

/** Deactivates users who have not been active for the period of the settings, and were created before it. */
export const deactivateDormantUsers = defineJob('users.deactivateDormant', {
  every: 'day',
  async findNextEffect(handle) {
    const { deactivateDormantUsers: isEnabled, deactivateDormantUsersPeriod: days } = await getSettings(handle)
    if (!isEnabled) return undefined
    const first = await selectByActivity(handle)
      .select(({ fn }) => fn.min(fn.coalesce('lastActivityOn', 'createdAt')).as('on'))
      .executeTakeFirst()
    return first?.on ? addDays(first.on.slice(0, 10), days + 1) : undefined
  },
  run: ({ write }) =>
    write(async (ctx) => {
      const { deactivateDormantUsers: isEnabled, deactivateDormantUsersPeriod: days } = await getSettings(ctx)
      if (!isEnabled) return
      const dormant = selectByActivity(ctx)
        .where(({ fn }) => fn.coalesce('lastActivityOn', 'createdAt'), '<', addDays(today(ctx), -days))
        .select('id')
      await ctx.db
        .updateTable('user')
        .set({ state: 'deactivated', updatedAt: ctx.now })
        .where('id', 'in', dormant)
        .execute()
    }),
})
