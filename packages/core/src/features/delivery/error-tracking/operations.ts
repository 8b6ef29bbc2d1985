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

const columns = ['active', 'integrated', 'projectName', 'trackerExternalUrl', 'apiUrl'] as const

type Stored = Omit<ErrorTracking, 'integrated'> & { readonly integrated: boolean }

const toErrorTracking = ({ active, integrated, ...tracker }: Stored): ErrorTracking => ({
  active,
  ...(integrated && { integrated }),
  ...tracker,
})

const getErrorTracking = async (ctx: Context, projectId: number): Promise<ErrorTracking> => {
  const row = await ctx.db
    .selectFrom('errorTrackingSetting')
    .where('projectId', '=', projectId)
    .select(columns)
    .executeTakeFirst()
  if (!row) throw notFound('Error Tracking Setting')
  return toErrorTracking(row)
}

export const errorTracking = {
  /** Gets the configuration of a project's error tracking; `not_found` if there is none. */
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
   * Sets or replaces the error tracking of a project: integrated, so that the platform collects the errors of applications with a
   * client key, or an external tracker, whose URLs are stored but not requested.
   *
   * @throws PlatformError `invalid` for an invalid name or URL
   */
  set: command({
    on: project,
    can: 'errorTracking.manage',
    input: {
      /** Whether the tracker is in use. Default: true. */
      active: v.optional(v.boolean(), true),
      /** Whether the platform collects the errors, instead of an external tracker. Default: false. */
      integrated: v.optional(v.boolean(), false),
      /** Name of the project in the external tracker: not blank, at most 255 characters. Ignored if `integrated`. */
      projectName: v.optional(v.nullable(v.string()), null),
      /** URL of the web page of the external tracker: http or https, at most 2,048 characters. Ignored if `integrated`. */
      trackerExternalUrl: v.optional(v.nullable(v.string()), null),
      /** URL of the API of the external tracker: http or https, at most 2,048 characters. Ignored if `integrated`. */
      apiUrl: v.optional(v.nullable(v.string()), null),
    },
    async run(ctx, { active, integrated, projectName, trackerExternalUrl, apiUrl }, subject): Promise<ErrorTracking> {
      const external = { projectName, trackerExternalUrl, apiUrl }
      if (!integrated)
        assertValidErrorTracking({
          projectName: projectName ?? '',
          trackerExternalUrl: trackerExternalUrl ?? '',
          apiUrl: apiUrl ?? '',
        })
      const none = { projectName: null, trackerExternalUrl: null, apiUrl: null }
      const input = { active, integrated, ...(integrated ? none : external) }
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
      return toErrorTracking(input)
    },
  }),
}
