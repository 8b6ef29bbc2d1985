import { today } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import type { Handle } from '../../../kernel/store.ts'
import { addDays } from '../../../shared/add-days.ts'
import { getRemovalDelay } from './delay.ts'
import { removeGroupInSteps, removeProjectInSteps } from './steps.ts'

export const removeLargeProject = defineJob('projects.remove', {
  run: (tools, { projectId }) => removeProjectInSteps(tools, projectId),
})

export const removeLargeGroup = defineJob('groups.remove', {
  run: (tools, { groupId }) => removeGroupInSteps(tools, groupId),
})

const firstMark = ({ db }: Handle, table: 'project' | 'namespace') =>
  db
    .selectFrom(table)
    .where('markedForDeletionOn', 'is not', null)
    .select(({ fn }) => fn.min('markedForDeletionOn').as('first'))
    .executeTakeFirst()

/** Has other jobs remove what was marked for deletion, as many days ago as the setting `deletionAdjournedPeriod` says. */
export const removeMarked = defineJob('removals.run', {
  every: 'day',
  // The delay is at most 90 days: a run that is too early has no effect.
  async findNextEffect(handle) {
    const marks = [await firstMark(handle, 'project'), await firstMark(handle, 'namespace')]
    return marks.flatMap((mark) => mark?.first ?? []).toSorted()[0]
  },
  run: ({ write }) =>
    write(async (ctx) => {
      const last = addDays(today(ctx), -(await getRemovalDelay(ctx)))
      const { db } = ctx
      const projects = await db.selectFrom('project').where('markedForDeletionOn', '<=', last).select('id').execute()
      for (const { id } of projects) await ctx.enqueue('projects.remove', { projectId: id }, { key: String(id) })
      const groups = await db.selectFrom('namespace').where('markedForDeletionOn', '<=', last).select('id').execute()
      for (const { id } of groups) await ctx.enqueue('groups.remove', { groupId: id }, { key: String(id) })
    }),
})
