import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { isTimeZone, parseCron } from '../pipeline-schedules/cron.ts'
import type { FreezePeriod } from './freeze-period.ts'
import { selectFreezePeriods } from './queries.ts'

const Text = v.pipe(v.string(), v.maxLength(255))

const periodInput = {
  /** Id of the freeze period, as in `freezePeriods.list`. */
  freezePeriod: Id,
}

const getPeriod = async (ctx: Context, projectId: number, id: number): Promise<FreezePeriod> => {
  const row = await selectFreezePeriods(ctx, projectId).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound('Freeze Period')
  return row
}

/** @throws PlatformError `invalid` for a pattern or time zone that is not valid */
const assertValid = ({
  cronTimezone,
  ...patterns
}: Pick<FreezePeriod, 'freezeStart' | 'freezeEnd' | 'cronTimezone'>) => {
  const message = ['is invalid syntax']
  if (!isTimeZone(cronTimezone)) throw invalid({ cronTimezone: message })
  const wrong = Object.entries(patterns).filter(([, pattern]) => parseCron(pattern, cronTimezone) === undefined)
  if (wrong.length) throw invalid(Object.fromEntries(wrong.map(([name]) => [name, message])))
}

/**
 * Recurring times in which a project should not be deployed. During such a period the rules and jobs of pipelines have the variable
 * `CI_DEPLOY_FREEZE` with the value `true`. Nothing else refuses deployments, as in GitLab: `rules` in the pipeline file leave the
 * job out.
 */
export const freezePeriods = {
  /** Lists the freeze periods of a project, oldest first. */
  list: query({
    on: project,
    can: 'freezePeriod.read',
    input: pagingEntries,
    run: (ctx, paging, { project }) =>
      paginate(selectFreezePeriods(ctx, project.id).orderBy('id'), paging, (row): FreezePeriod => row),
  }),

  /** Gets a freeze period of a project. */
  get: query({
    on: project,
    can: 'freezePeriod.read',
    input: periodInput,
    run: (ctx, { freezePeriod }, { project }) => getPeriod(ctx, project.id, freezePeriod),
  }),

  /**
   * Creates a freeze period.
   *
   * @throws PlatformError `invalid` for a pattern or time zone that is not valid
   */
  create: command({
    on: project,
    can: 'freezePeriod.manage',
    serializes: 'project',
    input: {
      /** When it begins: minute, hour, day of the month, month and day of the week, such as `0 23 * * 5`. */
      freezeStart: Text,
      /** When it ends, in the form of `freezeStart`. */
      freezeEnd: Text,
      /** Time zone of both, an IANA name such as `Europe/Berlin`. Default: `UTC`. */
      cronTimezone: v.optional(Text, 'UTC'),
    },
    async run(ctx, fields, { project }): Promise<FreezePeriod> {
      assertValid(fields)
      const values = { ...fields, createdAt: ctx.now, updatedAt: ctx.now }
      const { id } = await ctx.db
        .insertInto('freezePeriod')
        .values({ projectId: project.id, ...values } satisfies CompleteRow<'freezePeriod'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, ...values }
    },
  }),

  /**
   * Changes a freeze period; omitted fields keep their values.
   *
   * @throws PlatformError `invalid` for a pattern or time zone that is not valid
   */
  update: command({
    on: project,
    can: 'freezePeriod.manage',
    serializes: 'project',
    input: {
      ...periodInput,
      /** New beginning, as in `create`. */
      freezeStart: v.optional(Text),
      /** New end, as in `create`. */
      freezeEnd: v.optional(Text),
      /** New time zone, an IANA name. */
      cronTimezone: v.optional(Text),
    },
    async run(ctx, { freezePeriod, ...change }, { project }) {
      const before = await getPeriod(ctx, project.id, freezePeriod)
      assertValid({
        freezeStart: change.freezeStart ?? before.freezeStart,
        freezeEnd: change.freezeEnd ?? before.freezeEnd,
        cronTimezone: change.cronTimezone ?? before.cronTimezone,
      })
      await updateChanged(ctx, 'freezePeriod', before.id, change)
      return getPeriod(ctx, project.id, before.id)
    },
  }),

  /** Removes a freeze period. */
  remove: command({
    on: project,
    can: 'freezePeriod.manage',
    serializes: 'project',
    input: periodInput,
    async run(ctx, { freezePeriod }, { project }) {
      const { id } = await getPeriod(ctx, project.id, freezePeriod)
      await assertRowUnmodified(ctx, 'freezePeriod', id)
      await ctx.db.deleteFrom('freezePeriod').where('id', '=', id).execute()
    },
  }),
}
