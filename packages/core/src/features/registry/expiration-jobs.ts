import { job } from '../../jobs.ts'
import { type Context, today } from '../../kernel/context.ts'
import type { Handle } from '../../kernel/store.ts'
import { projectSettings } from '../projects/settings.ts'
import { expirationRules, isDue, nextRunAfter } from './expiration.ts'

/** Projects a read: others come in between. */
const slice = 500

/** Projects that have repositories, by id: most have none, and only theirs are looked at. */
const projectsAfter = ({ db }: Handle, after: number) =>
  db
    .selectFrom('project')
    .where('id', '>', after)
    .where('id', 'in', (eb) => eb.selectFrom('containerRepository').select('projectId'))
    .where('archived', '=', false)
    .orderBy('id')
    .limit(slice)
    .select(['id', 'settings'])
    .execute()

/** Looks again inside the transaction: another process, or a change of the policy, may have come first. */
const runPolicy = async (ctx: Context, projectId: number): Promise<void> => {
  const row = await ctx.db.selectFrom('project').where('id', '=', projectId).select('settings').executeTakeFirst()
  const { containerExpirationPolicy: policy, containerRegistryEnabled } = projectSettings(row?.settings ?? null)
  if (!row || !containerRegistryEnabled || !isDue(policy, ctx.now)) return
  // Counted from the day, so that a run which starts a second later each time does not slip to the next day.
  const nextRunAt = nextRunAfter(policy.cadence, `${today(ctx)}T00:00:00.000Z`) as string
  await ctx.db
    .updateTable('project')
    .set({ settings: { ...row.settings, containerExpirationPolicy: { ...policy, nextRunAt } } })
    .where('id', '=', projectId)
    .execute()
  const rules = expirationRules(policy)
  if (!rules) return
  const repositories = await ctx.db
    .selectFrom('containerRepository')
    .where('projectId', '=', projectId)
    .where('leaving', '=', false)
    .select('id')
    .execute()
  for (const { id } of repositories) {
    // A run that has not come to its end is not asked for twice.
    const key = `policy ${id}`
    await ctx.enqueue('registry.removeTags', { repository: id, rules, askedAt: ctx.now }, { key })
  }
}

/** Has the tags removed that projects' own policies name, each on its cadence. */
export const runExpirationPolicies = job('registry.runPolicies', {
  every: 'day',
  async run({ now, read, write }) {
    for (let after = 0; ; ) {
      const rows = await read((handle) => projectsAfter(handle, after))
      for (const { id, settings } of rows) {
        if (isDue(projectSettings(settings).containerExpirationPolicy, now)) await write((ctx) => runPolicy(ctx, id))
      }
      if (rows.length < slice) return
      after = rows.at(-1)?.id ?? after
    }
  },
})
