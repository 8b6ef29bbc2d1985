import * as v from 'valibot'
import { accountEntries, instance } from '../../../access/subjects.ts'
import { getUserId } from '../../../kernel/actor.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import { type Context, today } from '../../../kernel/context.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { DateOnly } from '../../../kernel/inputs.ts'
import { query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import type { UserActivity, UserAssociations } from './activity.ts'
import { findUser } from './queries.ts'

const getDayBefore = (day: string, months: number): string => {
  const date = new Date(day)
  date.setUTCMonth(date.getUTCMonth() - months)
  return date.toISOString().slice(0, 10)
}

const countRows = async (ctx: Context, table: 'issue' | 'mergeRequest', authorId: number): Promise<number> => {
  const rows = ctx.db.selectFrom(table).where('authorId', '=', authorId)
  return Number((await rows.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count)
}

const countMemberships = async (ctx: Context, userId: number): Promise<readonly [number, number]> => {
  const row = await ctx.db
    .selectFrom('member')
    .where('userId', '=', userId)
    .select(({ fn }) => [fn.count<number>('groupId').as('groups'), fn.count<number>('projectId').as('projects')])
    .executeTakeFirstOrThrow()
  return [Number(row.groups), Number(row.projects)]
}

export const userActivities = {
  /** Lists when users were last active, earliest first, without users who were never active. */
  listActivities: query({
    on: instance,
    can: 'user.manage',
    input: {
      ...pagingEntries,
      /** Only users who were active on this day or later: `2026-11-21`. Default: six months ago. */
      from: v.optional(DateOnly),
    },
    run: (ctx, { from = getDayBefore(today(ctx), 6), ...paging }) =>
      paginate(
        ctx.db
          .selectFrom('user')
          .where('lastActivityOn', '>=', from)
          .orderBy('lastActivityOn')
          .orderBy('id')
          .select(['username', 'lastActivityOn'])
          .$narrowType<{ lastActivityOn: string }>(),
        paging,
        (row): UserActivity => row,
      ),
  }),

  /** Counts memberships, issues and merge requests of the current user; for administrators, also those of other users. */
  countAssociations: query({
    on: instance,
    can: 'user.read',
    input: accountEntries,
    async run(ctx, { user }): Promise<UserAssociations> {
      const { id } = await findUser(ctx, user ?? getUserId(ctx.actor))
      const isOther = ctx.actor.kind !== 'user' || getUserId(ctx.actor) !== id
      if (isOther && !hasAbility(ctx.actor, { kind: 'instance' }, 'user.manage'))
        throw forbidden('Only for administrators, or the user themselves')
      const [[groupsCount, projectsCount], issuesCount, mergeRequestsCount] = await awaitAll([
        countMemberships(ctx, id),
        countRows(ctx, 'issue', id),
        countRows(ctx, 'mergeRequest', id),
      ])
      return { groupsCount, projectsCount, issuesCount, mergeRequestsCount }
    },
  }),
}
