import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { command, query } from '../../../kernel/operation.ts'
import { assertValidErrorTracking, type ErrorTracking } from './error-tracking.ts'

/** The contract has a separate message for an empty value. */
const Active = v.pipe(
  v.nullable(v.boolean()),
  v.check((value) => value !== null, 'is empty'),
)

const columns = ['active', 'projectName', 'trackerExternalUrl', 'apiUrl'] as const

const getErrorTracking = async (ctx: Context, projectId: number): Promise<ErrorTracking> => {
  const row = await ctx.db
    .selectFrom('errorTrackingSetting')
    .where('projectId', '=', projectId)
    .select(columns)
    .executeTakeFirst()
  if (!row) throw notFound('Error Tracking Setting')
  return row
}

export const errorTracking = {
  /** Gets the configuration of a project's external error tracker; `not_found` if there is none. */
  get: query({
    on: project,
    can: 'errorTracking.manage',
    run: (ctx, _, subject) => getErrorTracking(ctx, subject.project.id),
  }),

  /** Activates or deactivates the configured error tracker; `not_found` if none is configured. */
  update: command({
    on: project,
    can: 'errorTracking.manage',
    input: {
      /** Whether the tracker is in use. Its configuration remains while it is inactive. */
      active: Active,
    },
    async run(ctx, input, subject): Promise<ErrorTracking> {
      const { id: projectId } = subject.project
      const active = input.active === true
      const setting = await getErrorTracking(ctx, projectId)
      await ctx.db
        .updateTable('errorTrackingSetting')
        .set({ active, updatedAt: ctx.now })
        .where('projectId', '=', projectId)
        .where('active', '!=', active)
        .execute()
      return { ...setting, active }
    },
  }),

  /**
   * Sets or replaces the error tracker of a project. The platform stores the URLs but does not request them.
   *
   * @throws PlatformError `invalid` for an invalid name or URL
   */
  set: command({
    on: project,
    can: 'errorTracking.manage',
    input: {
      /** Whether the tracker is in use. Default: true. */
      active: v.optional(v.boolean(), true),
      /** Name of the project in the tracker: not blank, at most 255 characters. */
      projectName: v.string(),
      /** URL of the tracker's web page: http or https, at most 2,048 characters. */
      trackerExternalUrl: v.string(),
      /** URL of the tracker's API: http or https, at most 2,048 characters. */
      apiUrl: v.string(),
    },
    async run(ctx, input, subject): Promise<ErrorTracking> {
      assertValidErrorTracking(input)
      const setting = { ...input, updatedAt: ctx.now }
      await ctx.db
        .insertInto('errorTrackingSetting')
        .values({ projectId: subject.project.id, ...setting } satisfies CompleteRow<'errorTrackingSetting'>)
        .onConflict((conflict) =>
          conflict
            .column('projectId')
            .doUpdateSet(setting)
            .where((eb) =>
              eb.or(columns.map((name) => eb(`errorTrackingSetting.${name}`, 'is distinct from', input[name]))),
            ),
        )
        .execute()
      return input
    },
  }),
}
