import { type Context, today } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { namePatternProblem } from '../../../kernel/name-pattern.ts'
import type { Handle } from '../../../kernel/store.ts'
import { defined } from '../../../shared/defined.ts'
import { type ProjectSettings, withDefaultSettings } from '../../spaces/projects/settings.ts'
import type { BulkDeleteRules } from './bulk-delete.ts'

/** Scheduled removal of tags: specification 2, "Project record", `container_expiration_policy`. */
export type ExpirationPolicy = ProjectSettings['containerExpirationPolicy']

const daysByCadence: Readonly<Record<string, number>> = { '1d': 1, '7d': 7, '14d': 14 }
const monthsByCadence: Readonly<Record<string, number>> = { '1month': 1, '3month': 3 }

/** The same day of a later month, or the last day of that month. */
const addMonths = (instant: string, count: number): string => {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.toISOString()
}

/** The next run of a policy that ran at `instant`; undefined for an unknown cadence. */
export const nextRunAfter = (cadence: string, instant: string): string | undefined => {
  if (Object.hasOwn(monthsByCadence, cadence)) return addMonths(instant, defined(monthsByCadence[cadence]))
  if (!Object.hasOwn(daysByCadence, cadence)) return undefined
  return new Date(Date.parse(instant) + defined(daysByCadence[cadence]) * 86_400_000).toISOString()
}

/** Whether the policy is due. A policy without `nextRunAt` has not run yet. */
export const isDue = ({ enabled, nextRunAt, cadence }: ExpirationPolicy, now: string): boolean => {
  if (!enabled || nextRunAfter(cadence, now) === undefined) return false
  return nextRunAt === null || !(Date.parse(nextRunAt) > Date.parse(now))
}

/** The deletion rules of a policy; undefined if a pattern is missing or invalid, so that nothing is removed. */
export const toDeleteRules = ({
  keepN,
  olderThan,
  nameRegex,
  nameRegexKeep,
}: ExpirationPolicy): BulkDeleteRules | undefined => {
  const patterns = [nameRegex ?? '', nameRegexKeep ?? '']
  if (!nameRegex || patterns.some((text) => namePatternProblem(text) !== undefined)) return undefined
  return {
    nameRegexDelete: nameRegex,
    ...(nameRegexKeep && { nameRegexKeep }),
    ...(keepN !== null && { keepN }),
    ...(olderThan !== null && { olderThan }),
  }
}

/** Projects per read transaction. */
const batchSize = 500

/** Projects that have repositories, by id. Most projects have none. */
const readProjectsAfter = ({ db }: Handle, after: number) =>
  db
    .selectFrom('project')
    .where('id', '>', after)
    .where('id', 'in', (eb) => eb.selectFrom('containerRepository').select('projectId'))
    .where('archived', '=', false)
    .orderBy('id')
    .limit(batchSize)
    .select(['id', 'settings'])
    .execute()

/** The policies of all projects that have repositories. */
async function* readPolicies(read: <T>(work: (handle: Handle) => Promise<T>) => Promise<T>) {
  for (let after = 0; ; ) {
    const rows = await read((handle) => readProjectsAfter(handle, after))
    for (const { id, settings } of rows) yield { id, policy: withDefaultSettings(settings).containerExpirationPolicy }
    if (rows.length < batchSize) return
    after = rows.at(-1)?.id ?? after
  }
}

/** Checks the policy again in the transaction: another process may have run or changed it since the read. */
const runPolicy = async (ctx: Context, projectId: number): Promise<void> => {
  const row = await ctx.db.selectFrom('project').where('id', '=', projectId).select('settings').executeTakeFirst()
  const { containerExpirationPolicy: policy, containerRegistryAccessLevel } = withDefaultSettings(row?.settings ?? null)
  if (!row || containerRegistryAccessLevel === 'disabled' || !isDue(policy, ctx.now)) return
  // Counted from midnight, so that runs that start slightly later each time do not move to the next day.
  const nextRunAt = defined(nextRunAfter(policy.cadence, `${today(ctx)}T00:00:00.000Z`))
  await ctx.db
    .updateTable('project')
    .set({ settings: { ...row.settings, containerExpirationPolicy: { ...policy, nextRunAt } } })
    .where('id', '=', projectId)
    .execute()
  const rules = toDeleteRules(policy)
  if (!rules) return
  const repositories = await ctx.db
    .updateTable('containerRepository')
    .set({ cleanupPolicyStartedAt: ctx.now })
    .where('projectId', '=', projectId)
    .where('status', 'is', null)
    .returning('id')
    .execute()
  for (const { id } of repositories) {
    // The key prevents a second job while one is unfinished.
    const key = `policy ${id}`
    await ctx.enqueue('registry.removeTags', { repository: id, rules, requestedAt: ctx.now }, { key })
  }
}

/** Enqueues the removal of tags for every project with a due expiration policy. */
export const runExpirationPolicies = defineJob('registry.runPolicies', {
  every: 'day',
  async findNextEffect(handle, { now }) {
    const times: string[] = []
    for await (const { policy } of readPolicies(async (work) => work(handle))) {
      if (policy.enabled) times.push(policy.nextRunAt ?? now)
    }
    return times.sort()[0]
  },
  async run({ now, read, write }) {
    for await (const { id, policy } of readPolicies(read)) {
      if (isDue(policy, now)) await write((ctx) => runPolicy(ctx, id))
    }
  },
})
