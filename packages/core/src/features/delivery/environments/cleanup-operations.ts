import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { matchesPattern } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import { Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import { command } from '../../../kernel/operation.ts'
import type { Environment } from './environment.ts'
import { selectEnvironments, toEnvironment } from './queries.ts'

const millisecondsPerDay = 24 * 60 * 60 * 1_000

const daysAgo = ({ now }: Context, days: number): string =>
  new Date(Date.parse(now) - days * millisecondsPerDay).toISOString()

/** The environments that were stopped because they were not used. */
export interface StoppedEnvironments {
  /** Number of environments. */
  count: number
}

/** The environments of review apps that a clean-up removes. */
export interface RemovedReviewApps {
  /** Environments that were removed, or would be without `dryRun`. */
  scheduledEntries: readonly Environment[]
}

export const environmentCleanup = {
  /**
   * Stops the available environments that were last changed, and last deployed to, before a time. Protected environments stay
   * available.
   */
  stopStale: command({
    on: project,
    can: 'environment.manage',
    input: {
      /** ISO 8601, UTC without an offset: at most ten years and at least one week ago. */
      before: Instant,
    },
    async run(ctx, input, { project }): Promise<StoppedEnvironments> {
      const before = normalizeInstant(input.before)
      if (before > daysAgo(ctx, 7) || before < daysAgo(ctx, 3_653))
        throw invalidInput([{ fields: ['before'], message: 'must be between ten years and one week ago' }])
      const used = ctx.db
        .selectFrom('deployment')
        .where('projectId', '=', project.id)
        .where('createdAt', '>=', before)
        .select('environmentId')
      const guarded = ctx.db.selectFrom('protectedEnvironment').where('projectId', '=', project.id).select('name')
      const stopped = await ctx.db
        .updateTable('environment')
        .set({ state: 'stopped', updatedAt: ctx.now })
        .where('projectId', '=', project.id)
        .where('state', '=', 'available')
        .where('updatedAt', '<', before)
        .where('id', 'not in', used)
        .where('name', 'not in', guarded)
        .returning('id')
        .execute()
      return { count: stopped.length }
    },
  }),

  /** Removes stopped environments whose names start with `review/`, oldest first, with their deployments. */
  removeReviewApps: command({
    on: project,
    can: 'environment.manage',
    input: {
      /** Only environments that were last changed before this time; ISO 8601, UTC without an offset. Default: 30 days ago. */
      before: v.optional(Instant),
      /** Maximum number of environments, 1 to 1,000. Default: 100. */
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000)), 100),
      /** Whether only to list the environments. Default: true. */
      dryRun: v.optional(v.boolean(), true),
    },
    async run(ctx, { before, limit, dryRun }, { project }): Promise<RemovedReviewApps> {
      const rows = await selectEnvironments(ctx, project.id)
        .where('state', '=', 'stopped')
        .where(matchesPattern('name', 'review/%'))
        .where('updatedAt', '<', before === undefined ? daysAgo(ctx, 30) : normalizeInstant(before))
        .orderBy('id')
        .limit(limit)
        .execute()
      const ids = rows.map(({ id }) => id)
      if (!dryRun && ids.length) await ctx.db.deleteFrom('environment').where('id', 'in', ids).execute()
      return { scheduledEntries: rows.map(toEnvironment) }
    },
  }),
}
