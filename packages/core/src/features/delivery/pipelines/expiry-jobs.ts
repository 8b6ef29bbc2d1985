import { jsonText } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import type { Handle } from '../../../kernel/store.ts'
import { removePipelines } from '../../code/pipeline-records/removal.ts'

/** Number of pipelines that one transaction removes. */
const batchSize = 20

const listProjectsWithExpiry = ({ db }: Handle) =>
  db
    .selectFrom('project')
    .where(jsonText('project.settings', 'ciDeletePipelinesInSeconds'), 'is not', null)
    .orderBy('id')
    .select(['id', 'settings'])
    .execute()

const selectOldest = ({ db }: Handle, projectId: number) =>
  db.selectFrom('pipeline').where('projectId', '=', projectId).orderBy('id').select(['id', 'createdAt'])

const addSeconds = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1_000).toISOString()

const removeOldest = async (ctx: Context, projectId: number, seconds: number): Promise<boolean> => {
  const until = addSeconds(ctx.now, -seconds)
  const oldest = await selectOldest(ctx, projectId).limit(batchSize).execute()
  const expired = oldest.filter(({ createdAt }) => createdAt < until)
  for (const { id } of expired) await removePipelines(ctx, 'id', id)
  return expired.length === batchSize
}

/** Removes the pipelines of projects that are older than the setting `ciDeletePipelinesInSeconds`, in several transactions. */
export const expirePipelines = defineJob('pipelines.expire', {
  every: 'day',
  async findNextEffect(handle) {
    let next: string | undefined
    for (const { id, settings } of await listProjectsWithExpiry(handle)) {
      const oldest = await selectOldest(handle, id).executeTakeFirst()
      const due = oldest && addSeconds(oldest.createdAt, settings?.ciDeletePipelinesInSeconds ?? 0)
      if (due !== undefined && (next === undefined || due < next)) next = due
    }
    return next
  },
  async run(tools) {
    for (const { id, settings } of await tools.write(listProjectsWithExpiry)) {
      const seconds = settings?.ciDeletePipelinesInSeconds
      if (seconds) await repeatStep(tools, (ctx) => removeOldest(ctx, id, seconds))
    }
  },
})
