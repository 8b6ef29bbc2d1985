import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { command, query } from '../../kernel/operation.ts'
import { type ErrorTracking, refuseBadTracking } from './error-tracking.ts'

/** An empty value gets words of its own. */
const Active = v.pipe(
  v.nullable(v.boolean()),
  v.check((value) => value !== null, 'is empty'),
)

const columns = ['active', 'projectName', 'trackerExternalUrl', 'apiUrl'] as const

const settingOf = async (ctx: Context, projectId: number): Promise<ErrorTracking> => {
  const row = await ctx.db
    .selectFrom('errorTrackingSetting')
    .where('projectId', '=', projectId)
    .select(columns)
    .executeTakeFirst()
  if (!row) throw notFound('Error Tracking Setting')
  return row
}

export const errorTracking = {
  /** Where the errors of a project are collected; missing until it was configured. */
  get: query({
    on: project,
    can: 'errorTracking.manage',
    run: (ctx, _, subject) => settingOf(ctx, subject.project.id),
  }),

  /** Switches what is configured on or off. */
  update: command({
    on: project,
    can: 'errorTracking.manage',
    input: { active: Active },
    async run(ctx, { active: given }, subject): Promise<ErrorTracking> {
      const { id: projectId } = subject.project
      const active = given === true
      const known = await settingOf(ctx, projectId)
      await ctx.db
        .updateTable('errorTrackingSetting')
        .set({ active, updatedAt: ctx.now })
        .where('projectId', '=', projectId)
        .execute()
      return { ...known, active }
    },
  }),

  /** Says where the errors of a project are collected, whether or not it was said before. */
  configure: command({
    on: project,
    can: 'errorTracking.manage',
    input: {
      active: v.optional(v.boolean(), true),
      projectName: v.string(),
      trackerExternalUrl: v.string(),
      apiUrl: v.string(),
    },
    async run(ctx, given, subject): Promise<ErrorTracking> {
      refuseBadTracking(given)
      const setting = { ...given, updatedAt: ctx.now }
      await ctx.db
        .insertInto('errorTrackingSetting')
        .values({ projectId: subject.project.id, ...setting })
        .onConflict((known) => known.column('projectId').doUpdateSet(setting))
        .execute()
      return given
    },
  }),
}
